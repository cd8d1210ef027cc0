/** Lists which mounts a sandbox may have, for the check in it: bubblewrap finds places by their paths, which others can change. */

import { isWithin } from '../../../streams/text/trim';
import { isWithinAny } from '../paths';
import type { Mount } from './mountsOf';

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

/** A mount shows at its path what lies there outside; a hidden one shows a device or an empty folder. */
const toNeeded = (at: At, { kind, path }: Mount): string[] => {
  switch (kind) {
    case 'writable':
    case 'shown':
    case 'link':
      return []; // one that is not there does no harm
    case 'readOnly':
      return at(path, 'ro');
    case 'hiddenFile':
      return at('/dev/null', 'ro').map((line) => line.replace('/dev/null', () => toEscaped(path)));
    case 'empty':
    case 'sparse':
    case 'hiddenFolder':
      return [`${toEscaped(path)} / new ro`];
  }
};

/**
 * Lines `devices DEVICE…`, `need MOUNT`, `may MOUNT` and `once MOUNT`, where a mount is `PATH ROOT DEVICE ro|rw` as `checkMounts` writes
 * it. A sandbox is good if it has each mount that it needs, none that it may not have, and none of `once` more often than named. Undefined
 * where the table does not show the root folder.
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
  const writable = ofKind('writable');
  const inside = rows.filter(({ target }) => isWithinAny(writable.map(toEscaped), target));
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
    ...needed.map((mount) => `need ${mount}`),
    ...[...new Set([...needed, ...allowed])].map((mount) => `may ${mount}`),
    ...covered.map((row) => `once ${row.target} ${rootOf(row)} ${row.device} rw`),
    '',
  ].join('\n');
};

/** `target` shows what lies at `root` of the file system `device`; it is mounted on a folder of `parent`. Paths are escaped as in the table. */
type MountRow = { id: string; parent: string; device: string; root: string; target: string; type: string };

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

/** The mount that shows an escaped path without links; undefined where no row is the root. */
type FindMount = (path: string) => MountRow | undefined;

/** Follows paths from the root: the first mount on the way leads on, and covers what lies below it in the same folder. */
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

/** Where in its file system a path lies that this mount shows. */
export const rootAt = ({ root, target }: MountRow, path: string): string => {
  const rest = target === '/' ? path.slice(1) : path.slice(target.length + 1);
  if (rest === '') return root;
  return root === '/' ? `/${rest}` : `${root}/${rest}`;
};
