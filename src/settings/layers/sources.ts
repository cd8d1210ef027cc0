/** All layers merged, and the assignment of each value. */
import { getIn, type Layer, merge, type Path, type Setting, type Table, type Toml, tableOf, toTable } from '../layer';

/** The merged table, and `placeOf`: the assignment that set a path, or the nearest table above it. */
export type Sources = { table: Table; placeOf: (path: Path) => Setting };

const agree = (a: Path, b: Path): boolean => a.every((key, at) => at >= b.length || key === b[at]);

const holds =
  (path: Path) =>
  (setting: Setting): boolean =>
    agree(setting.path, path) && getIn(setting.value, path.slice(setting.path.length)) !== undefined;

const placeIn =
  (settings: readonly Setting[]) =>
  (path: Path): Setting =>
    settings.findLast(holds(path)) ?? placeIn(settings)(path.slice(0, -1));

/** Merges layers, lowest first. The first assignment of the lowest layer must cover the empty path. */
export const toSources = (layers: readonly Layer[]): Sources => ({
  table: layers.map(toTable).reduce<Toml>(merge, tableOf()) as Table,
  placeOf: placeIn(layers.flat()),
});
