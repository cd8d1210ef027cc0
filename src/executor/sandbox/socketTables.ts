/**
 * The Unix sockets that programs have bound, as the system lists them: one list for each network namespace. A program of another one, such as the
 * server of rootless Docker or a program in a container, has its sockets on the disk all the same, and any program that finds their path can connect.
 */
import { isWithin } from '../../streams/text/trim';
import type { SandboxFiles } from './sandboxFiles';
import { findMount, readMountTable, rootAt, toEscaped } from './wrapper/mountsOf';

export type TableFiles = Pick<SandboxFiles, 'readText' | 'readStart' | 'realpath' | 'kindOf' | 'list'>;

/** One socket that a program has bound. Source: Linux, unix_seq_show. */
export type Bound = {
  /** Absolute, relative to a folder that nobody knows, or `@` and a name without a file. */
  name: string;
  /** Whether it takes connections (`SO_ACCEPTCON`). */
  listens: boolean;
};

/** A list of the system, and the numbers of its sockets, which are of no other list. */
type Table = { bound: Bound[]; numbers: ReadonlySet<string> };

/** A server of this program listens on such a socket while it runs. It carries no messages, and a mount over it would end with it. */
const SIGN_OF_LIFE = /\/\.codex-rx-[0-9a-f]{12}\.alive$/;
/** A path by a descriptor of the program that has bound it. */
const OF_DESCRIPTOR = /^\/(?:proc|dev\/fd)\//;

export const isPlace = (name: string): boolean => name.startsWith('/') && !OF_DESCRIPTOR.test(name);

/** Its flags, its number and its name. */
const ROW = /^\S+: (?:\S+ +){2}(\S+) +(?:\S+ +){2}(\d+)(?: +(\S.*))?$/;

const readTable = (text: string): Table => {
  const rows = text.split('\n').flatMap((line) => {
    const [, flags = '', number = '', name] = ROW.exec(line) ?? [];
    return number === '' ? [] : [{ name, number, listens: (Number.parseInt(flags, 16) & 0x10000) !== 0 }];
  });
  const bound = rows.flatMap(({ name, listens }) =>
    name === undefined || SIGN_OF_LIFE.test(name) ? [] : [{ name, listens }],
  );
  return { bound, numbers: new Set(rows.map(({ number }) => number)) };
};

/** The sockets of this network namespace; undefined if the system does not list them. */
export const boundHere = (files: TableFiles): Table | undefined => {
  const text = files.readText('/proc/net/unix');
  return text === undefined ? undefined : readTable(text);
};

/** The mounts that a process has. */
export type Mounts = { rows: ReturnType<typeof readMountTable>; find: ReturnType<typeof findMount> };

/** @param process its id, or `self` */
export const mountsIn = (files: TableFiles, process: string): Mounts => {
  const rows = readMountTable(files.readText(`/proc/${process}/mountinfo`) ?? '');
  return { rows, find: findMount(rows) };
};

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
 * as this one also those that are not where they were bound, and those without an absolute path. A name without a file leads to no other namespace.
 */
export const boundElsewhere = (files: TableFiles, own: Mounts, here: Table): Bound[] =>
  tablesElsewhere(files, here).flatMap(({ bound, processes }) => {
    const named = bound.filter(({ name }) => !name.startsWith('@'));
    const views = named.length === 0 ? [] : viewsOf(files, processes);
    return named.flatMap((one) => placed(files, { own, views }, one));
  });

type Elsewhere = Table & { processes: string[] };

/** The first socket of its list shows in which namespace a process is: not every user may see that otherwise, and there are thousands of processes. */
const tablesElsewhere = (files: TableFiles, here: Table): Elsewhere[] => {
  const found: Elsewhere[] = [];
  for (const process of files.list('/proc').filter((name) => /^\d+$/.test(name))) {
    const path = `/proc/${process}/net/unix`;
    const [first] = readTable(files.readStart(path) ?? '').numbers;
    if (first === undefined || here.numbers.has(first)) continue;
    const before = found.find(({ numbers }) => numbers.has(first));
    if (before) before.processes.push(process);
    else found.push({ ...readTable(files.readText(path) ?? ''), processes: [process] });
  }
  return found;
};

/** The mounts of these processes. The id of a mount is of one mount namespace. */
const viewsOf = (files: TableFiles, processes: readonly string[]): Mounts[] => {
  const byFirst = new Map(
    processes.map((process) => [/^\d+/.exec(files.readStart(`/proc/${process}/mountinfo`) ?? '')?.[0], process]),
  );
  return [...byFirst.values()].map((process) => mountsIn(files, process));
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
