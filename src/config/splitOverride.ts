/** Owns the outer form of a `-c` flag; what the value means is read elsewhere. */
import { ConfigError } from './config';

// White space as Rust trims it: U+0085 belongs to it, U+FEFF does not; JavaScript's trim has it the other way round.
const blank = /^\p{White_Space}+|\p{White_Space}+$/gu;

/**
 * Splits `key=value` at the first `=`, blanks around both dropped.
 * Throws ConfigError where there is no `=` or no key; a server may call it at its start.
 * Source: Codex 0.28.0, runs with `-c`.
 */
export const splitOverride = (override: string): { key: string; value: string } => {
  const at = override.indexOf('=');
  if (at < 0) throw new ConfigError(`-c ${override}: Invalid override (missing '='), expected key=value`);
  const key = override.slice(0, at).replace(blank, '');
  if (key === '') throw new ConfigError(`-c ${override}: Empty key in override, expected key=value`);
  return { key, value: override.slice(at + 1).replace(blank, '') };
};
