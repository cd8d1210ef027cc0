/** Checks a merged table against the schema. */
import { ConfigError } from '../faults/configError';
import { dotted, found } from '../faults/errorText';
import { getIn, type Path } from '../layer';
import type { Sources } from '../layers/sources';
import { type Checked, configSchema } from './schema';

/** The error for a value of the wrong kind: its place, what was found, what is expected. */
export const misfit = ({ table, placeOf }: Sources, path: Path, expected: string): ConfigError => {
  const text = found(getIn(table, path), path);
  return new ConfigError(`${placeOf(path).where(path)}: ${dotted(path)} is ${text}, expected ${expected}`);
};

/** The path of a setting that holds a value: a member of a list has no place of its own, its list has. */
const settingOf = (path: readonly PropertyKey[]): string[] => {
  const end = path.findIndex((key) => typeof key === 'number');
  return path.slice(0, end < 0 ? path.length : end).map(String);
};

/** Checks all known keys, also in profiles and providers that are not selected. Throws ConfigError, which names every mistake. */
export const check = (sources: Sources): Checked => {
  const result = configSchema.safeParse(sources.table);
  if (result.success) return result.data;
  const texts = result.error.issues.map(({ path, message }) => misfit(sources, settingOf(path), message).message);
  throw new ConfigError([...new Set(texts)]);
};
