/**
 * The mounts of a sandbox, in the order in which a mount namespace is built (`mountsOf`), and the mounts that it may have, for the check in it
 * (`expectedMounts`): bubblewrap finds places by their paths, which others can change.
 */
import { foldersBetween, foldersUp, isWithinAny } from '../../../io/paths/relations';
import { isWithin } from '../../../streams/text/trim';
import type { Link, Sandbox, Sparse } from '../sandbox';

/**
 * `hiddenFile`, `hiddenFolder` and `empty` cover the path; so does `sparse`, which may have other mounts in it. `shown` is read-only and may be missing;
 * `link` is made in a sparse folder. The others show the path, writable or not.
 */
export type Mount =
  | {
      kind: 'writable' | 'device' | 'shown' | 'readOnly' | 'empty' | 'sparse' | 'hiddenFile' | 'hiddenFolder';
      path: string;
    }
  | ({ kind: 'link' } & Link);

/** If several mounts have the same path, the later kind is used. */
const STRENGTH = [
  'link',
  'shown',
  'writable',
  'device',
  'readOnly',
  'empty',
  'sparse',
  'hiddenFile',
  'hiddenFolder',
] satisfies Mount['kind'][];
const strengthOf = ({ kind }: Mount): number => STRENGTH.indexOf(kind);

/**
 * The mounts over a file system that is read-only as a whole, outer ones first, one per path; hidden ones last, for nothing may cover them. Folders
 * between a writable one and a mount inside it become mounts of their own: a mount point cannot be renamed, so nothing can be moved away and put in
 * its place.
 *   writable /w, readOnly /w/a/.git  ->  /w writable, /w/a writable, /w/a/.git readOnly
 */
export const mountsOf = ({ writable, readOnly, empty = [], hidden, sparse = [], devices = [] }: Sandbox): Mount[] => {
  const folders = hidden.filter(({ kind }) => kind === 'folder').map(({ path }) => path);
  const isCovered = (path: string) => folders.some((folder) => folder !== path && isWithin(folder, path));
  const isWritable = (path: string) => isWithinAny(writableAround(writable, sparse, path), path);
  const isReadOnly = readOnlyAround(writable, readOnly);
  const mounts: Mount[] = [
    ...writable.map((path): Mount => ({ kind: 'writable', path })),
    ...devices.map((path): Mount => ({ kind: 'device', path })),
    ...readOnly
      .filter((path) => isWritable(path) && !isReadOnly(path))
      .map((path): Mount => ({ kind: 'readOnly', path })),
    ...empty.filter(isWritable).map((path): Mount => ({ kind: 'empty', path })),
    ...sparse.flatMap(toMounts),
    ...hidden.map(({ path, kind }): Mount => ({ kind: kind === 'file' ? 'hiddenFile' : 'hiddenFolder', path })),
  ].filter(({ path }) => !isCovered(path));
  return inOrder([...pinsOf(mounts, [...readOnly, ...empty, ...sparse.map(({ path }) => path)]), ...mounts]);
};

/** Paths in a sparse folder are not writable through writable folders around it. */
const writableAround = (writable: readonly string[], sparse: readonly Sparse[], path: string): readonly string[] =>
  sparse
    .filter((folder) => folder.path !== path && isWithin(folder.path, path))
    .reduce((left, folder) => left.filter((root) => isWithin(folder.path, root)), writable);

/** True for a path in a read-only folder, with no writable folder between: the git directories of a thousand submodules are in one `.git`. */
const readOnlyAround = (writable: readonly string[], readOnly: readonly string[]): ((path: string) => boolean) => {
  const kinds = new Map([
    ...writable.map((path) => [path, 'rw'] as const),
    ...readOnly.map((path) => [path, 'ro'] as const),
  ]);
  return (path) => kinds.get(foldersUp(path).find((folder) => folder !== path && kinds.has(folder)) ?? '') === 'ro';
};

const toMounts = ({ path, shown, links }: Sparse): Mount[] => [
  { kind: 'sparse', path },
  ...shown.map((path): Mount => ({ kind: 'shown', path })),
  ...links.map((link): Mount => ({ kind: 'link', ...link })),
];

/** The writable folders between each writable path and the mounts inside it. */
const pinsOf = (mounts: readonly Mount[], kept: readonly string[]): Mount[] => {
  const writable = mounts.filter(({ kind }) => kind === 'writable').map(({ path }) => path);
  const isKept = new Set(kept); // each folder of each of a thousand submodules asks for it
  return mounts.flatMap(({ path }) =>
    writable
      .filter((root) => root !== path && isWithin(root, path))
      .flatMap((root) => {
        const between = foldersBetween(root, path);
        const keptAt = isKept.has(root) ? 0 : between.findIndex((folder) => isKept.has(folder));
        return keptAt < 0 ? between : between.slice(0, keptAt);
      })
      .map((folder): Mount => ({ kind: 'writable', path: folder })),
  );
};

const isHidden = ({ kind }: Mount): boolean => kind === 'hiddenFile' || kind === 'hiddenFolder';

/** The strongest mount of each path; `/a` sorts before `/a/b`. */
const inOrder = (mounts: readonly Mount[]): Mount[] => {
  const weakestFirst = [...mounts].sort((a, b) => strengthOf(a) - strengthOf(b));
  const strongest = new Map(weakestFirst.map((mount) => [mount.path, mount]));
  const sorted = [...strongest.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return [...sorted.filter((mount) => !isHidden(mount)), ...sorted.filter(isHidden)];
};

/** Devices that bubblewrap shows in `/dev`. Source: bubblewrap 0.8, SETUP_MOUNT_DEV. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].map((name) => `/dev/${name}`);

/** `/dev` and `/proc` are made for the sandbox, so their file systems are unknown outside. */
const MADE = [
  ...['/dev / new rw', '/dev/pts / new rw', '/proc / new ro'],
  ...['sys', 'sysrq-trigger', 'irq', 'bus'].map((name) => `/proc/${name} /${name} new ro`),
];

/** The root of a control group is shown relative to the reader's own, which differs inside. */
const rootOf = ({ type, root }: MountRow): string => (type.startsWith('cgroup') ? '*' : root);

type At = (path: string, access: 'ro' | 'rw') => string[];

/** The line without its kind. */
const toMount = (line: string): string => line.slice(line.indexOf(' ') + 1);

/** A line for a mount that shows its path as it is outside, or hides it behind a device or an empty folder. */
const toNeeded = (at: At, { kind, path }: Mount): string[] => {
  switch (kind) {
    case 'writable':
    case 'device':
    case 'shown':
    case 'link':
      return []; // a missing mount does no harm
    case 'readOnly':
      return at(path, 'ro').map((line) => `need ${line}`);
    case 'hiddenFile':
      return at('/dev/null', 'ro').map((line) => `hide ${line.replace('/dev/null', () => toEscaped(path))}`);
    case 'empty':
    case 'sparse':
    case 'hiddenFolder':
      return [`need ${toEscaped(path)} / new ro`];
  }
};

/**
 * Lines `devices DEVICE…`, `need MOUNT`, `hide MOUNT`, `may MOUNT` and `once MOUNT`, where a mount is `PATH ROOT DEVICE ro|rw` as `checkMounts`
 * writes it. A sandbox is good if it has each mount that it needs, each of `hide` unless its path is gone or an empty file, none that it may not have, and none
 * of `once` more often than named. Undefined if the table does not show the root folder.
 * @param table the mounts outside, as the kernel writes them
 */
export const expectedMounts = (table: string, mounts: readonly Mount[]): string | undefined => {
  const rows = readMountTable(table);
  const find = findMount(rows);
  if (find('/') === undefined) return undefined;
  const at: At = (path, access) => {
    const escaped = toEscaped(path);
    const found = find(escaped);
    return found ? [`${escaped} ${rootAt(found, escaped)} ${found.device} ${access}`] : [];
  };
  const ofKind = (wanted: Mount['kind']) => mounts.flatMap(({ kind, path }) => (kind === wanted ? [path] : []));
  const writable = [...ofKind('writable'), ...ofKind('device')];
  const inside = rowsIn(rows, writable.map(toEscaped));
  const covered = rows.filter((row) => find(row.target) !== row); // bubblewrap makes read-only what it can reach
  const needed = mounts.flatMap((mount) => toNeeded(at, mount));
  const allowed = [
    ...rows.map((row) => `${row.target} ${rootOf(row)} ${row.device} ro`),
    ...inside.map((row) => `${row.target} ${rootOf(row)} ${row.device} rw`),
    ...writable.flatMap((path) => [...at(path, 'rw'), ...at(path, 'ro')]),
    ...ofKind('shown').flatMap((path) => at(path, 'ro')),
    ...DEVICES.flatMap((path) => at(path, 'rw')),
    ...MADE,
  ];
  return [
    `devices ${[...new Set(rows.map(({ device }) => device))].join(' ')}`,
    ...needed,
    ...[...new Set([...needed.map(toMount), ...allowed])].map((mount) => `may ${mount}`),
    ...covered.map((row) => `once ${row.target} ${rootOf(row)} ${row.device} rw`),
    '',
  ].join('\n');
};

const rowsIn = (rows: readonly MountRow[], folders: readonly string[]): MountRow[] =>
  rows.filter(({ target }) => isWithinAny(folders, target));

/** A row of the mount table; it shows what is at `root` of the file system `device`. Paths are escaped as in the table. */
type MountRow = {
  id: string;
  parent: string;
  device: string;
  root: string;
  /** The path at which it is mounted, in a folder of `parent`. */
  target: string;
  type: string;
};

/** Lines of another shape are left out. */
export const readMountTable = (text: string): MountRow[] =>
  text.split('\n').flatMap((line) => {
    const [id, parent, device, root, target, , ...rest] = line.split(' ');
    const type = rest[rest.indexOf('-') + 1];
    return id && parent && device && root && target && type ? [{ id, parent, device, root, target, type }] : [];
  });

/** A path as the table writes it. */
export const toEscaped = (path: string): string =>
  path.replace(/[ \t\n\\]/g, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`);

/** The mount that shows an escaped path without links; undefined if no row is the root. */
type FindMount = (path: string) => MountRow | undefined;

/** Follows paths from the root: the first mount on the way continues the search, and covers everything below it in the same folder. */
export const findMount = (rows: readonly MountRow[]): FindMount => {
  const ids = new Set(rows.map(({ id }) => id));
  const children = new Map<string, MountRow[]>();
  for (const row of rows) children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
  const next = ({ id }: MountRow, path: string): MountRow | undefined =>
    (children.get(id) ?? [])
      .filter((child) => child.id !== id && isWithin(child.target, path))
      .sort((a, b) => a.target.length - b.target.length)[0];
  const root = rows.find(({ target, parent, id }) => target === '/' && (parent === id || !ids.has(parent)));
  return (path) => {
    let mount = root;
    for (let on = root && next(root, path); on !== undefined; on = next(on, path)) mount = on;
    return mount;
  };
};

/** The place of a path in the file system that this mount shows. */
export const rootAt = ({ root, target }: MountRow, path: string): string => {
  const rest = target === '/' ? path.slice(1) : path.slice(target.length + 1);
  if (rest === '') return root;
  return root === '/' ? `/${rest}` : `${root}/${rest}`;
};
