/** Owns the splitting of a line into words without a grammar: quotes and escapes, no operators. For display only. */

const COMMENTS = '(?:[ \\t\\n]|#[^\\n]*(?:\\n|$))*';
const TOKEN = new RegExp(`${COMMENTS}(?!#)((?:[^ \\t\\n\\\\'"]|\\\\.|'[^']*'|"(?:[^"\\\\]|\\\\.)*")+)`, 'gsy');
const TAIL = new RegExp(`^${COMMENTS}$`);

const PIECE = /\\(.)|'([^']*)'|"((?:[^"\\]|\\.)*)"/gs;
const ESCAPE = /\\([$`"\\\n])/g;

const joined = (char: string): string => (char === '\n' ? '' : char);

const unquote = (token: string): string =>
  token.replace(PIECE, (_, char?: string, single?: string, double = '') =>
    char !== undefined ? joined(char) : (single ?? double.replace(ESCAPE, (_: string, it: string) => joined(it))),
  );

/**
 * The words of a line, or undefined where a quote is open or a backslash is last. Operators stay where they stick: `ls;`.
 * A `#` at the beginning of a word ends the line.
 * Source: Codex 0.28.0, recorded cases `bash -c`; the rules are those of POSIX quoting.
 */
export const splitWords = (line: string): string[] | undefined => {
  const tokens = [...line.matchAll(TOKEN)];
  const end = tokens.reduce((at, [all]) => at + all.length, 0);
  return TAIL.test(line.slice(end)) ? tokens.map(([, token = '']) => unquote(token)) : undefined;
};
