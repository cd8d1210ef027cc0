/** Unix sockets of programs outside, which no command in a sandbox may reach: Docker's, an agent's or D-Bus's would lead out of it. */
import { foldersUp, inFolder, isWithinAny } from '../../io/paths/relations';
import { isWithin } from '../../streams/text/trim';
import type { Hidden } from './sandbox';
import type { SandboxFiles } from './sandboxFiles';
import {
  boundElsewhere,
  boundHere,
  isPlace,
  type Mounts,
  mountsHere,
  pathsOf,
  type TableFiles,
  unescaped,
} from './socketTables';
import { rootAt, toEscaped } from './wrapper/mountsOf';

/** The files of the machine, as they are read here. */
type SocketFiles = TableFiles &
  Pick<SandboxFiles, 'takesFiles' | 'temporaryFor' | 'ofStranger' | 'isOwn' | 'namesOfSocket'>;

/** Sockets that lead out of a sandbox. */
type OutsideSockets = {
  /** At the paths at which a sandbox can hide them. */
  hidden: Hidden[];
  /** Why it cannot hide all; empty if it can. Undefined if the system does not list sockets. */
  exposed: string[] | undefined;
};

/** Folders of sockets: of the system, of a host that shares them with its container, and, in WSL, of Windows and Docker Desktop. */
const OF_SERVICES = ['/run', '/var/run', '/mnt/wslg', '/mnt/wsl/docker-desktop/shared-sockets'];
/** As deep as `/run/user/1000/gnupg/S.gpg-agent`. */
const DEPTH = 4;
/** Folders in them in which other disks appear: `/run/media`, and those of GNOME in `/run/user/1000`. */
const OF_DISKS = ['media', 'gvfs', 'doc', 'distro'];
/** The folder of udev in `/run`: it has a file for each device of the machine, and one socket. */
const OF_DEVICES = 'udev';
/** Sockets of the first programs of a system. If the system does not list them, the programs of this disk are in another network namespace. */
const OF_FIRST = ['/run/systemd/notify', '/run/systemd/private', '/run/dbus/system_bus_socket'];
/** The time of bubblewrap grows with the square of its mounts, to half a second for so many. Any user can bind thousands. */
const MAX_HIDDEN = 300;

/**
 * The Unix sockets that programs have bound to a path, sockets of services, and mounted ones, as in containers; at each path at which they can be
 * seen. A socket that is bound later is not among them. Exposed are sockets on which programs take connections and whose place is unknown, as they have no path
 * or were moved; sockets that another user can remove while a mount hides them; and all, if this process is in another network namespace than the system.
 * @param writable the writable folders of the sandbox
 * @param most how many are hidden at most
 */
export const outsideSockets = (
  files: SocketFiles,
  writable: readonly string[],
  most: number = MAX_HIDDEN,
): OutsideSockets => {
  const mounts = mountsHere(files);
  const here = boundHere(files);
  const others = here && boundElsewhere(files, mounts);
  const bound = here && [...here, ...(others ?? [])];
  const names = new Set(bound?.flatMap(({ name }) => (isPlace(name) ? [name] : [])));
  if (names.size > most) return { hidden: [], exposed: [tooMany(names.size, most)] };
  const named = [...names].flatMap((name) => files.realpath(name) ?? []);
  const services = OF_SERVICES.flatMap((path) => files.realpath(path) ?? []);
  const places = [...new Set([...named, ...services])].flatMap((path) => specialIn(files, path, DEPTH));
  const found = [...places, ...mountedIn(files, mounts, writable)];
  const all = new Set([...found, ...found.flatMap((path) => otherPaths(files, mounts, path))]);
  const paths = [...all].filter((path) => files.ofStranger(path) !== 'closed');
  const exposed = bound && [
    ...new Set(bound.flatMap(({ name, listens }) => (listens && !isKnown(files, name) ? [withoutPlace(name)] : []))),
    ...paths.filter((path) => isLoose(files, path)).map(removable),
    ...OF_FIRST.filter(
      (path) => !here.some(({ name }) => files.realpath(name) === path) && isOfDisk(files, mounts, path),
    ).map(elsewhere),
    ...(paths.length > most ? [tooMany(paths.length, most)] : []),
    ...(others === undefined ? [UNSEEN] : []),
  ];
  return { hidden: paths.map((path) => ({ path, kind: 'file' })), exposed };
};

/** Removes the empty files that bubblewrap makes where a socket was gone by the time it was hidden: no program could bind there again. */
export const removeStandIns = (
  { kindOf, isOwn, readUnlinked, removeFile }: Pick<SandboxFiles, 'kindOf' | 'isOwn' | 'readUnlinked' | 'removeFile'>,
  hidden: readonly Hidden[],
): void => {
  for (const { path } of hidden) {
    if (kindOf(path) === 'file' && isOwn(path) && readUnlinked(path) === '') removeFile(path);
  }
};

const withoutPlace = (name: string): string =>
  `a program listens on ${JSON.stringify(name)}, and a sandbox can only hide a path`;
const removable = (path: string): string => `another user can remove ${JSON.stringify(path)} while a sandbox hides it`;
const elsewhere = (path: string): string =>
  `the programs of this system, such as that of ${JSON.stringify(path)}, are in another network namespace than this server`;

const UNSEEN = 'those of other network namespaces are too many to be looked at';
const tooMany = (count: number, most: number): string => `there are ${count} to hide, and ${most} are the limit`;

/** False for a socket that may be anywhere: from a folder that this user can write, a command may have moved or linked it. No command writes to `/run`. */
const isKnown = (files: SocketFiles, name: string): boolean => {
  if (!isPlace(name)) return false;
  const real = files.realpath(name);
  if (real !== undefined) return files.namesOfSocket(real) === 1 || isWithinAny(OF_SERVICES, real);
  const above = foldersUp(name).flatMap((path) => files.realpath(path) ?? [])[0];
  const isWritable = above !== undefined && (files.takesFiles(above) || files.isOwn(above));
  return !isWritable || isWithinAny(OF_SERVICES, name);
};

/** True for a socket of another user in a folder like `/tmp`: its user can remove it when a mount is made over it, so that the command fails. */
const isLoose = (files: SocketFiles, path: string): boolean =>
  files.ofStranger(path) === 'open' && foldersUp(path).some((folder) => files.temporaryFor(folder) === 'all');

/** True for a socket that is not mounted. */
const isOfDisk = (files: SocketFiles, { find }: Mounts, path: string): boolean =>
  files.realpath(path) === path && files.kindOf(path) === 'other' && find(path)?.root === '/';

/**
 * Sockets that are mounted, alone or with their folder: a program in another network namespace may have bound them. A workspace that is
 * mounted has sockets of its own commands.
 */
const mountedIn = (files: SocketFiles, { rows }: Mounts, writable: readonly string[]): string[] => {
  const parts = rows.filter(({ root, type }) => root !== '/' && !type.startsWith('cgroup'));
  return [...new Set(parts.map(({ target }) => unescaped(target)))]
    .filter((path) => !isWithin('/dev', path) && !writable.some((folder) => isWithin(path, folder)))
    .flatMap((path) => specialIn(files, path, 1));
};

/** The paths at which other mounts show the same: `/run/host/run/user/1000/bus` in a container. */
const otherPaths = (files: SocketFiles, mounts: Mounts, path: string): string[] => {
  const mount = mounts.find(toEscaped(path));
  if (mount === undefined) return [];
  const place = rootAt(mount, toEscaped(path));
  return pathsOf(mounts, mount.device, place).filter(
    (other) => files.realpath(other) === other && files.kindOf(other) === 'other',
  );
};

/** The path if it is a socket or another special file; of a folder the special files in it. */
const specialIn = (files: SocketFiles, path: string, depth: number): string[] => {
  const kind = files.kindOf(path);
  if (kind === 'other') return [path];
  if (kind !== 'folder' || depth === 0) return [];
  const names = files.list(path).filter((name) => name !== OF_DEVICES && !OF_DISKS.includes(name));
  return names.flatMap((name) => specialIn(files, inFolder(path, name), depth - 1));
};
