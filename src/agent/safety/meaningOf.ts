/** Reads a plainly written script without the grammar. It is a second reader beside the grammar: both must agree. */

/**
 * Blanks, connectors, words without active characters, quoted words without expansions, and the escapes `\(` `\)` of find.
 * Not accepted: any other backslash, `$`, backticks, redirections, comments, control characters, non-ASCII blanks
 * (the grammar splits words there, bash does not).
 */
const PLAIN = /^(?:[ \t\n;|]|&&|\\[()]|(?<=[^\s;|&])#|[^\s\p{C}\\'"$`()<>&|;#]|'[^']*'|"(?:[^"\\$`]|\\.)*")*$/su;

/** True if bash and the grammar cannot disagree about where the words of a script begin and end. */
export const isPlain = (script: string): boolean => PLAIN.test(script);

/** No pattern, brace or quote; and ASCII only, because bash on macOS splits words at some bytes of other letters. */
const BARE = /^[\w@%+=:,./^~!#-]+$/;

const unescaped = (text: string): string => text.replace(/\\([\\$`"\n])/g, (_, char) => (char === '\n' ? '' : char));

/** The argument that a program gets for a word as written, or undefined where that depends on files or the environment. */
export const meaningOf = (raw: string): string | undefined => {
  if (raw.startsWith("'")) return raw.slice(1, -1);
  if (raw.startsWith('"')) return unescaped(raw.slice(1, -1));
  if (raw === '\\(' || raw === '\\)') return raw.slice(1);
  return BARE.test(raw) ? raw : undefined;
};
