/**
 * Words as one shell command line.
 * Own code: the line is part of recorded results and must match the original's quoting byte by byte. `shell-quote` escapes
 * with backslashes, where the original chooses between two kinds of quotes.
 */

const BARE = /^[\w+\-./:@\]]+$/;
const SINGLE = /^\^?[^'\\^]*/;
const DOUBLE = /^[^`$!^]*/;

const first = (pattern: RegExp, text: string): string => pattern.exec(text)?.[0] ?? '';

/** The longest piece that one kind of quotes can hold, in single quotes if both can. A caret is safe only at the front. */
const quotePiece = (text: string): [size: number, quoted: string] => {
  const single = first(SINGLE, text);
  const double = first(DOUBLE, text);
  if (double.length > single.length) return [double.length, `"${double.replace(/["\\]/g, '\\$&')}"`];
  return [single.length, BARE.test(single) ? single : `'${single}'`];
};

const quotePieces = (text: string): string => {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const [size, quoted] = quotePiece(text.slice(at));
    pieces.push(quoted);
    at += size;
  }
  return pieces.join('');
};

/**
 * Joins words with blanks, quoted only where needed, so that a shell splits the line into the same words.
 *   ['echo', "a'b", 'c d'] → echo "a'b" 'c d'
 * Source: Codex 0.28.0, 599 recorded cases; a word with NUL makes the whole line unreadable there too.
 */
export const joinWords = (words: readonly string[]): string =>
  words.some((word) => word.includes('\0'))
    ? '<command included NUL byte>'
    : words.map((word) => (word === '' ? "''" : quotePieces(word))).join(' ');
