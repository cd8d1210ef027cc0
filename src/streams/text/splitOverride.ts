/** The outer form of a `-c` flag, `key=value`. */

/** White space as Rust trims it, with U+0085 and without U+FEFF; JavaScript's `trim` is the other way round. */
const blank = /^\p{White_Space}+|\p{White_Space}+$/gu;

/**
 * Splits `key=value` at the first `=` and trims both; returns a string with the reason if it cannot be split.
 * Source: Codex 0.28.0, runs with `-c`.
 */
export const splitOverride = (override: string): { key: string; value: string } | string => {
  const at = override.indexOf('=');
  if (at < 0) return `-c ${override}: Invalid override (missing '='), expected key=value`;
  const key = override.slice(0, at).replace(blank, '');
  if (key === '') return `-c ${override}: Empty key in override, expected key=value`;
  return { key, value: override.slice(at + 1).replace(blank, '') };
};
