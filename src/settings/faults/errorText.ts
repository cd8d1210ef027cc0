/** How paths, values and names appear in error texts. */
import { maskAddress } from '../../io/log/maskAddress';
import { isSecretSetting } from '../../io/log/secretNames';
import { isTable, type Path, type Toml } from '../layer';

const bare = /^[\w-]+$/;
const maxShown = 80;

/** A path as TOML spells it. */
export const dotted = (path: Path): string => path.map((key) => (bare.test(key) ? key : JSON.stringify(key))).join('.');

/** A text, cut to 80 characters. */
export const cut = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text);

/** A value as found: itself if it is short, or its type if it may be secret. */
export const found = (value: Toml | undefined, path: Path): string => {
  if (value === undefined) return 'missing';
  if (isTable(value)) return 'a table';
  if (Array.isArray(value)) return 'a list';
  if (path.some(isSecretSetting)) return `a ${typeof value === 'bigint' ? 'number' : typeof value}`;
  if (typeof value === 'number' && Number.isInteger(value)) return value.toFixed(1);
  return cut(typeof value === 'string' ? JSON.stringify(maskAddress(value)) : String(value));
};

/** Names separated by commas, each in quotes. */
export const listed = (names: readonly string[], quote: string): string =>
  names.map((name) => `${quote}${name}${quote}`).join(', ');
