/** Owns the words of error texts: paths, values, reasons, names that are nearly right. */
import { isTable, type Path, type Toml } from './layer';

const secret = /headers|params|^set$|token|secret|password|api_key/i;
const bare = /^[\w-]+$/;
const maxShown = 80;

/** True for a path whose value must not appear in a message. */
export const isSecret = (path: Path): boolean => path.some((key) => secret.test(key));

/** A path as TOML spells it. */
export const dotted = (path: Path): string => path.map((key) => (bare.test(key) ? key : JSON.stringify(key))).join('.');

/** A long text, cut for a message. */
export const cut = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text);

/** What was found: short values themselves, and never one that may be secret. */
export const found = (value: Toml | undefined, path: Path): string => {
  if (value === undefined) return 'missing';
  if (isTable(value)) return 'a table';
  if (Array.isArray(value)) return 'a list';
  if (isSecret(path)) return `a ${typeof value === 'bigint' ? 'number' : typeof value}`;
  if (typeof value === 'number' && Number.isInteger(value)) return value.toFixed(1);
  return cut(typeof value === 'string' ? JSON.stringify(value) : String(value));
};

/** The text of whatever was thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Names in a row, each in quotes. */
export const listed = (names: readonly string[], quote: string): string =>
  names.map((name) => `${quote}${name}${quote}`).join(', ');
