/**
 * The words of a shell command line, without a grammar: quotes and escapes, no operators and no expansions.
 * Own code: recorded results must match the original's splitting. `shell-quote` expands variables and patterns and takes
 * operators apart; `string-argv` knows neither escapes nor comments and accepts an open quote.
 */

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
 * Splits a line into words; undefined if a quote is open or a backslash comes last. Operators stay in their word: `ls;`.
 * A `#` at the beginning of a word starts a comment.
 * Source: Codex 0.28.0, recorded cases `bash -c`; the rules are those of POSIX quoting.
 */
export const splitWords = (line: string): string[] | undefined => {
  const tokens = [...line.matchAll(TOKEN)];
  const end = tokens.reduce((at, [all]) => at + all.length, 0);
  return TAIL.test(line.slice(end))
    ? tokens.map(([, token = '']) => token.replace(PIECE, (piece) => unquotePiece(piece)))
    : undefined;
};
