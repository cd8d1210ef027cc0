/** Owns the step from any table to known keys of known types. */
import { ConfigError } from './config';
import { dotted, found } from './describe';
import { getIn, type Path } from './layer';
import { type Checked, configSchema } from './schema';
import type { Sources } from './sources';

/** The error for a value that does not fit: its place, what was found, what is expected. */
export const misfit = ({ table, placeOf }: Sources, path: Path, expected: string): ConfigError => {
  const text = found(getIn(table, path), path);
  return new ConfigError(`${placeOf(path).where(path)}: ${dotted(path)} is ${text}, expected ${expected}`);
};

// A member of a list has no place of its own: the list stands for it.
const settled = (path: readonly PropertyKey[]): string[] => {
  const end = path.findIndex((key) => typeof key === 'number');
  return path.slice(0, end < 0 ? path.length : end).map(String);
};

/** Checks all known keys, also in profiles and providers nobody selected. Throws ConfigError for the first that does not fit. */
export const check = (sources: Sources): Checked => {
  const result = configSchema.safeParse(sources.table);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw misfit(sources, settled(issue!.path), issue!.message);
};
