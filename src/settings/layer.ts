/** Settings as TOML values, and how layers are merged. Own code: tables have no prototype, integers are bigint, lists replace lists. */

/** A TOML value. Integers are bigint, floats are number, dates are strings. Tables have no prototype. */
export type Toml = string | number | bigint | boolean | readonly Toml[] | Table;
/** A table of TOML. */
export type Table = { readonly [key: string]: Toml };
/** The keys that lead to a value, from the outermost table on. */
export type Path = readonly string[];

/** One assignment. */
export type Setting = {
  path: Path;
  value: Toml;
  /** Names the place of a path at or below `path`, for error texts. */
  where: (path: Path) => string;
  /** Relative file names start here. */
  folder: string;
  /** Parts that are not used as they are written. */
  warnings?: readonly string[];
};

/** Assignments in the order in which they apply; a later one wins. */
export type Layer = readonly Setting[];

/** True for a table, false for a list or a scalar. */
export const isTable = (value: Toml | undefined): value is Table => typeof value === 'object' && !Array.isArray(value);

/** Merges two parts into one table, which is safe for keys such as `__proto__`. */
export const tableOf = (
  low: { readonly [key: string]: Toml } = {},
  high: { readonly [key: string]: Toml } = {},
): Table => Object.assign(Object.create(null), low, high) as Table;

/** A table of entries, of which a call may send any number. */
export const tableFrom = (entries: Iterable<readonly [string, Toml]>): Table => {
  const table: { [key: string]: Toml } = Object.create(null);
  for (const [key, value] of entries) table[key] = value;
  return table;
};

/** The value at a path, or undefined. */
export const getIn = (value: Toml | undefined, path: Path): Toml | undefined =>
  path.reduce<Toml | undefined>((at, key) => (isTable(at) ? at[key] : undefined), value);

/** What a call, or the file of a project, may set. Each value costs time in every layer and every check. */
export const MAX_VALUES = 500;

/** True if there are more values in a table, at any depth, than so many; tables and lists count too. */
export const hasMoreValues = (table: object, most: number): boolean => {
  let count = 0;
  const add = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const name in value) {
      count += 1;
      if (count > most) return;
      add((value as Record<string, unknown>)[name]);
    }
  };
  add(table);
  return count > most;
};

/** Merges one value over another: tables key by key, anything else is replaced. */
export const merge = (low: Toml | undefined, high: Toml): Toml => {
  if (!isTable(low) || !isTable(high)) return high;
  return tableOf(low, tableFrom(Object.entries(high).map(([key, value]) => [key, merge(low[key], value)])));
};

/** Turns the assignments of a layer into a table: missing tables are made, scalars replaced. Source: Codex 0.28.0, runs with several `-c`. */
export const toTable = (layer: Layer): Table => {
  const own = new WeakSet<object>(); // tables that were made here: those of the layer stay as they are
  const copyOf = (value: Toml | undefined): { [key: string]: Toml } => {
    if (isTable(value) && own.has(value)) return value;
    const copy = isTable(value) ? tableOf(value) : tableOf();
    own.add(copy);
    return copy;
  };
  let root: Toml = copyOf(undefined);
  for (const { path, value } of layer) {
    const [last] = path.slice(-1);
    if (last === undefined) {
      root = value;
      continue;
    }
    let at = copyOf(root);
    root = at;
    for (const key of path.slice(0, -1)) {
      const next = copyOf(at[key]);
      at[key] = next;
      at = next;
    }
    at[last] = value;
  }
  return root as Table;
};
