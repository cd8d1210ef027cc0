/**
 * The Unix sockets that programs have bound, as the system lists them: one list for each network namespace. A program of another one, such as the
 * server of rootless Docker or a program in a container, has its sockets on the disk all the same, and any program that finds their path can connect.
 */
import { isWithin } from '../../streams/text/trim';
import type { SandboxFiles } from './sandboxFiles';
import { findMount, readMountTable, rootAt, toEscaped } from './wrapper/mountsOf';

export type TableFiles = Pick<SandboxFiles, 'readText' | 'readStart' | 'inodeOf' | 'realpath' | 'kindOf' | 'list'>;

/** One socket that a program has bound. Source: Linux, unix_seq_show. */
export type Bound = {
  /** Absolute, relative to a folder that nobody knows, or `@` and a name without a file. */
  name: string;
  /** Whether it takes connections (`SO_ACCEPTCON`). */
  listens: boolean;
};

/** A server of this program listens on such a socket while it runs. It carries no messages, and a mount over it would end with it. */
const SIGN_OF_LIFE = /\/\.codex-rx-[0-9a-f]{12}\.alive$/;
/** A path by a descriptor of the program that has bound it. */
const OF_DESCRIPTOR = /^\/(?:proc|dev\/fd)\//;

export const isPlace = (name: string): boolean => name.startsWith('/') && !OF_DESCRIPTOR.test(name);

/** Its flags and its name. */
const ROW = /^\S+: (?:\S+ +){2}(\S+) +(?:\S+ +){3}(\S.*)$/;

const readTable = (text: string): Bound[] =>
  text.split('\n').flatMap((line) => {
    const [, flags = '', name] = ROW.exec(line) ?? [];
    if (name === undefined || SIGN_OF_LIFE.test(name)) return [];
    return [{ name, listens: (Number.parseInt(flags, 16) & 0x10000) !== 0 }];
  });

const HERE = '/proc/net/unix';

/** The sockets of this network namespace; undefined if the system does not list them. */
export const boundHere = (files: TableFiles): Bound[] | undefined => {
  const text = files.readText(HERE);
  return text === undefined ? undefined : readTable(text);
};

/** The mounts that a process has. */
export type Mounts = { rows: ReturnType<typeof readMountTable>; find: ReturnType<typeof findMount> };

/** The mounts of this process. */
export const mountsHere = (files: TableFiles): Mounts => {
  const rows = rowsIn(files, 'self');
  return { rows, find: findMount(rows) };
};

const rowsIn = (files: TableFiles, process: string): Mounts['rows'] =>
  readMountTable(files.readText(`/proc/${process}/mountinfo`) ?? '');

/** Source: Linux, proc_pid_mountinfo(5). */
export const unescaped = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));

/** The paths at which these mounts show a place of a file system. */
export const pathsOf = ({ rows }: Mounts, device: string, place: string): string[] =>
  rows
    .filter((row) => row.device === device && isWithin(row.root, place))
    .map(({ root, target }) => `${target === '/' ? '' : target}${root === '/' ? place : place.slice(root.length)}`)
    .map(unescaped);

/**
 * The sockets of the other network namespaces of which a process is seen, by the paths at which they are here. Of programs with the same root folder
 * as this one also sockets that are not where they were bound, or have no absolute path. A name without a file leads to no other namespace.
 * Undefined if there are too many to be looked at.
 */
export const boundElsewhere = (files: TableFiles, own: Mounts): Bound[] | undefined => {
  const found: Bound[] = [];
  let looks = 0;
  for (const processes of namespacesElsewhere(files)) {
    const named = readTable(files.readText(tableOf(processes[0])) ?? '').filter(({ name }) => !name.startsWith('@'));
    const tables = named.length === 0 ? [] : tablesOf(files, processes);
    const mounts = tables.reduce((sum, rows) => sum + rows.length, 0);
    looks += named.length * mounts;
    if (mounts > MAX_MOUNTS || looks > MAX_LOOKS) return undefined;
    const views = tables.map((rows) => ({ rows, find: findMount(rows) }));
    found.push(...named.flatMap((one) => placed(files, { own, views }, one)));
  }
  return found;
};

/** Any user can have thousands of mounts and sockets in namespaces of his own, and the server would do nothing else meanwhile. */
const MAX_MOUNTS = 5_000;
const MAX_LOOKS = 200_000;

const tableOf = (process: string): string => `/proc/${process}/net/unix`;

/** The processes of each other namespace. The inode of its list tells it apart: the namespace itself is shown to the owner of the process only. */
const namespacesElsewhere = (files: TableFiles): (readonly [string, ...string[]])[] => {
  const here = files.inodeOf(HERE);
  const found = new Map<number, [string, ...string[]]>();
  for (const process of files.list('/proc').filter((name) => /^\d+$/.test(name))) {
    const inode = files.inodeOf(tableOf(process));
    if (inode === undefined || inode === here) continue;
    const before = found.get(inode);
    if (before) before.push(process);
    else found.set(inode, [process]);
  }
  return [...found.values()];
};

/** The mounts of these processes. The id of a mount is of one mount namespace. */
const tablesOf = (files: TableFiles, processes: readonly string[]): Mounts['rows'][] => {
  const byFirst = new Map(
    processes.map((process) => [/^\d+/.exec(files.readStart(`/proc/${process}/mountinfo`) ?? '')?.[0], process]),
  );
  return [...byFirst.values()].map((process) => rowsIn(files, process));
};

/** In a container it is most often a link to `/run`. */
const OF_LINK = /^\/var(?=\/run\/)/;

type Views = { own: Mounts; views: readonly Mounts[] };

const placed = (files: TableFiles, { own, views }: Views, { name, listens }: Bound): Bound[] => {
  const root = own.find('/');
  const isShared = views.some(({ find }) => isSame(find('/'), root));
  if (!isPlace(name)) return isShared ? [{ name, listens }] : [];
  const linked = isShared ? files.realpath(name) : undefined;
  const paths = [linked ?? name, name.replace(OF_LINK, '')].flatMap((path) =>
    views.flatMap(({ find }) => {
      const mount = find(toEscaped(path));
      return mount ? pathsOf(own, mount.device, rootAt(mount, toEscaped(path))) : [];
    }),
  );
  const there = paths.filter((path) => files.kindOf(path) === 'other');
  return (isShared && there.length === 0 ? paths.slice(0, 1) : there).map((path) => ({ name: path, listens }));
};

type Row = Mounts['rows'][number] | undefined;

const isSame = (one: Row, other: Row): boolean => one?.device === other?.device && one?.root === other?.root;
