/** Checks a merged table against the schema. */
import { ConfigError } from '../faults/configError';
import { dotted, found } from '../faults/errorText';
import { getIn, type Path, type Toml } from '../layer';
import type { Sources } from '../layers/sources';
import { type Checked, configSchema } from './schema';

/** The error for a value of the wrong kind: its place, what was found, what is expected. */
export const misfit = (sources: Sources, path: Path, expected: string): ConfigError =>
  misfitAt(sources, { path, members: [] }, expected);

/** A setting, and the numbers and keys that lead to a member of its list. */
type Place = { path: Path; members: readonly PropertyKey[] };

const misfitAt = ({ table, placeOf }: Sources, { path, members }: Place, expected: string): ConfigError => {
  const value = members.reduce<unknown>((at, key) => Object(at)[key], getIn(table, path)) as Toml | undefined;
  const name = dotted(path) + members.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return new ConfigError(`${placeOf(path).where(path)}: ${name} is ${found(value, path)}, expected ${expected}`);
};

/** A member of a list has no line of its own, its list has. */
const placeIn = (path: readonly PropertyKey[]): Place => {
  const at = path.findIndex((key) => typeof key === 'number');
  const end = at < 0 ? path.length : at;
  return { path: path.slice(0, end).map(String), members: path.slice(end) };
};

/** Checks all known keys, also in profiles and providers that are not selected. Throws ConfigError, which names every mistake. */
export const check = (sources: Sources): Checked => {
  const result = configSchema.safeParse(sources.table);
  if (result.success) return result.data;
  const texts = new Map<string, string>(); // a list may have thousands of mistakes of one kind
  for (const { path, message } of result.error.issues) {
    const place = placeIn(path);
    const key = JSON.stringify([place.path, message]);
    if (!texts.has(key)) texts.set(key, misfitAt(sources, place, message).message);
  }
  throw new ConfigError([...texts.values()]);
};
