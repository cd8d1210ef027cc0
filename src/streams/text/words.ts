/**
 * The words of a shell command line, without a grammar: quotes and escapes, no operators and no expansions.
 * Own code: the lines and words are part of recorded results and must match the original's byte by byte. `shell-quote` expands variables, takes
 * operators apart and quotes with backslashes; `string-argv` knows neither escapes nor comments and accepts an open quote.
 */

/**
 * Splits a line into words; undefined if a quote is open or a backslash comes last. Operators stay in their word: `ls;`.
 * A `#` at the beginning of a word starts a comment.
 * Source: Codex 0.28.0, recorded cases `bash -c`; the rules are POSIX quoting's.
 */
export const splitWords = (line: string): string[] | undefined => {
  const tokens = [...line.matchAll(TOKEN)];
  const end = tokens.reduce((at, [all]) => at + all.length, 0);
  return TAIL.test(line.slice(end))
    ? tokens.map(([, token = '']) => token.replace(PIECE, (piece) => unquotePiece(piece)))
    : undefined;
};

const COMMENTS = '(?:[ \\t\\n]|#[^\\n]*(?:\\n|$))*';
const TOKEN = new RegExp(`${COMMENTS}(?!#)((?:[^ \\t\\n\\\\'"]|\\\\.|'[^']*'|"(?:[^"\\\\]|\\\\.)*")+)`, 'gsy');
const TAIL = new RegExp(`^${COMMENTS}$`);

const PIECE = /\\.|'[^']*'|"(?:[^"\\]|\\.)*"/gs;
const ESCAPE = /\\([$`"\\\n])/g;

/** An escaped newline joins two lines. */
const unescapeChar = (char: string): string => (char === '\n' ? '' : char);

/** The text of an escaped character or of a quoted piece. */
const unquotePiece = (piece: string): string => {
  if (piece.startsWith('\\')) return unescapeChar(piece.slice(1));
  const inner = piece.slice(1, -1);
  return piece.startsWith("'") ? inner : inner.replace(ESCAPE, (_, char: string) => unescapeChar(char));
};

/**
 * Joins words with blanks, quoted only if needed, so that a shell splits the line into the same words.
 *   ['echo', "a'b", 'c d'] → echo "a'b" 'c d'
 * Source: Codex 0.28.0, 599 recorded cases; a word with NUL makes the whole line unreadable there too.
 */
export const joinWords = (words: readonly string[]): string =>
  words.some((word) => word.includes('\0'))
    ? '<command included NUL byte>'
    : words.map((word) => (word === '' ? "''" : quotePieces(word))).join(' ');

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

/** White space as Rust trims it, with U+0085 and without U+FEFF; JavaScript's `trim` is the other way round. */
const blank = /^\p{White_Space}+|(?<!\p{White_Space})\p{White_Space}+$/gu;

/** Splits `key=value` at the first `=` and trims both; returns a string with the reason if it cannot be split. Source: Codex 0.28.0, runs with `-c`. */
export const splitOverride = (override: string): { key: string; value: string } | string => {
  const at = override.indexOf('=');
  if (at < 0) return `-c ${override}: Invalid override (missing '='), expected key=value`;
  const key = override.slice(0, at).replace(blank, '');
  if (key === '') return `-c ${override}: Empty key in override, expected key=value`;
  return { key, value: override.slice(at + 1).replace(blank, '') };
};

/** The matches that make up the text, in order; undefined if something between them does not match. @param piece global and sticky, never empty */
export const tokenize = (piece: RegExp, text: string): RegExpExecArray[] | undefined => {
  const pieces = [...text.matchAll(piece)]; // works on a copy of the pattern, so no position stays in a constant
  const length = pieces.reduce((sum, [match]) => sum + match.length, 0);
  return length === text.length ? pieces : undefined;
};
