/** A line in quotes, as Rust's debug format writes it. */

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/** Characters that are invisible by themselves, or change the one before them; a plain blank stays. */
const HIDDEN = /["\\]|(?! )[\p{C}\p{Z}\p{Grapheme_Extend}]/gu;

/** Source: Codex 0.28.0, case ap142: letters and emoji stay as they are; `\u{a0}` stands for what cannot be seen. */
export const toDebugText = (text: string): string =>
  `"${text.replace(HIDDEN, (character) => ESCAPES[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`)}"`;
