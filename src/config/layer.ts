/** Owns settings in the form of TOML and how one layer of them lies on another; knows no key by name. */

/** A TOML value. Integers are bigint, floats are number, dates are strings. Tables have no prototype. */
export type Toml = string | number | bigint | boolean | readonly Toml[] | Table;
export type Table = { readonly [key: string]: Toml };
export type Path = readonly string[];

/**
 * One assignment and where it stands.
 * `where` tells a human the place of a path at or below `path`; `folder`: relative file names count from it.
 */
export type Setting = { path: Path; value: Toml; where: (path: Path) => string; folder: string };

/** Assignments in the order in which they count; a later one wins. */
export type Layer = readonly Setting[];

/** True for a table: not a list, not a scalar. */
export const isTable = (value: Toml | undefined): value is Table => typeof value === 'object' && !Array.isArray(value);

/** A table of these keys; safe for keys such as `__proto__`. */
export const tableOf = (...parts: { readonly [key: string]: Toml }[]): Table =>
  Object.assign(Object.create(null), ...parts) as Table;

/** What lies at a path, or undefined. */
export const getIn = (value: Toml | undefined, path: Path): Toml | undefined =>
  path.reduce<Toml | undefined>((at, key) => (isTable(at) ? at[key] : undefined), value);

const setIn = (value: Toml | undefined, [key, ...rest]: Path, what: Toml): Toml => {
  if (key === undefined) return what;
  const table = isTable(value) ? value : tableOf();
  return tableOf(table, { [key]: setIn(table[key], rest, what) });
};

/** Lays one value over another: tables mix key by key, anything else is replaced. */
export const merge = (low: Toml | undefined, high: Toml): Toml => {
  if (!isTable(low) || !isTable(high)) return high;
  return tableOf(low, ...Object.entries(high).map(([key, value]) => ({ [key]: merge(low[key], value) })));
};

/**
 * Turns the assignments of one layer into a table. Missing tables are made, a scalar in the way is replaced,
 * a whole table given later replaces an earlier one.
 * Source: Codex 0.28.0, runs with several `-c`.
 */
export const toTable = (layer: Layer): Table =>
  layer.reduce<Toml>((at, { path, value }) => setIn(at, path, value), tableOf()) as Table;
