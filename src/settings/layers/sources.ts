/** All layers merged, and the assignment of each value. */
import { getIn, type Layer, merge, type Path, type Setting, type Table, type Toml, tableOf, toTable } from '../layer';

/** The merged table, and `placeOf`: the assignment that set a path, or the nearest table above it. */
export type Sources = { table: Table; placeOf: (path: Path) => Setting };

/** What was assigned at a path, and what was assigned last at or below it, as numbers in the order of assignment. */
type Assigned = { here: number[]; last: number };

const keyOf = (path: Path): string => JSON.stringify(path);

const prefixesOf = (path: Path): Path[] =>
  Array.from({ length: path.length + 1 }, (_, length) => path.slice(0, length));

/** Indexed by path: a call may have thousands of keys. */
const placeIn = (settings: readonly Setting[]): Sources['placeOf'] => {
  const byPath = new Map<string, Assigned>();
  settings.forEach(({ path }, i) => {
    for (const prefix of prefixesOf(path)) {
      const { here } = byPath.get(keyOf(prefix)) ?? { here: [] };
      byPath.set(keyOf(prefix), { here: prefix.length === path.length ? [...here, i] : here, last: i });
    }
  });
  const lastAt = (path: Path): number =>
    Math.max(
      byPath.get(keyOf(path))?.last ?? -1,
      ...prefixesOf(path).map(
        (prefix) => byPath.get(keyOf(prefix))?.here.findLast((i) => isSetBy(settings[i], path)) ?? -1,
      ),
    );
  const placeOf = (path: Path): Setting => settings[lastAt(path)] ?? placeOf(path.slice(0, -1));
  return placeOf;
};

const isSetBy = (setting: Setting | undefined, path: Path): boolean =>
  setting !== undefined && getIn(setting.value, path.slice(setting.path.length)) !== undefined;

/** Merges layers, lowest first. The first assignment of the lowest layer must cover the empty path. */
export const toSources = (layers: readonly Layer[]): Sources => ({
  table: layers.map(toTable).reduce<Toml>(merge, tableOf()) as Table,
  placeOf: placeIn(layers.flat()),
});
