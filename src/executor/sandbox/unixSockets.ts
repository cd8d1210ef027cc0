/** Unix sockets of programs outside, which no command in a sandbox may reach: Docker's, an agent's or D-Bus's would lead out of it. */
import { inFolder } from '../../io/paths/relations';
import type { Hidden } from './sandbox';
import type { SandboxFiles } from './sandboxFiles';

/** The files of the machine, as they are read here. */
type SocketFiles = Pick<SandboxFiles, 'readText' | 'realpath' | 'kindOf' | 'list'>;

/** Where systems, and containers that share a socket of their host, have sockets; and where WSL shows those of Windows and of Docker Desktop. */
const OF_SERVICES = ['/run', '/var/run', '/mnt/wslg', '/mnt/wsl/docker-desktop/shared-sockets'];
/** As deep as `/run/user/1000/gnupg/S.gpg-agent`. */
const DEPTH = 4;
/** Folders there in which other disks appear: `/run/media`, and those of GNOME in `/run/user/1000`. */
const OF_DISKS = ['media', 'gvfs', 'doc', 'distro'];
/** One of them has a record of each device of the machine, and its socket listens. */
const OF_DEVICES = 'udev';
/** Servers like this one mark by these that they run. They carry no messages, and a mount over one ends with it. */
const SIGN_OF_LIFE = /\/\.codex-rx-[0-9a-f]{12}\.alive$/;

/** One socket that a program has bound. Source: Linux, unix_seq_show. */
type Bound = {
  /** Absolute, relative to a folder that nobody knows, or `@` and a name without a file. */
  name: string;
  /** Whether it takes connections (`SO_ACCEPTCON`). */
  listens: boolean;
};

/** The sockets of this network namespace; undefined if the system does not list them. */
const boundHere = (files: SocketFiles): Bound[] | undefined =>
  files
    .readText('/proc/net/unix')
    ?.split('\n')
    .flatMap((line) => {
      const [, flags, name] = /^\S+: (?:\S+ +){2}(\S+) +(?:\S+ +){3}(\S.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [{ name, listens: (Number.parseInt(String(flags), 16) & 0x10000) !== 0 }];
    });

/** The sockets on which programs take connections and that no sandbox hides: they have no path, as X11's. Undefined if the system does not list them. */
export const exposedSockets = (files: SocketFiles): string[] | undefined =>
  boundHere(files)?.flatMap(({ name, listens }) => (listens && !name.startsWith('/') ? [name] : []));

/**
 * The Unix sockets that programs have bound to a path, sockets of services, and sockets that are mounted one by one, as in containers. What is bound later,
 * elsewhere by a relative path or in another network namespace, or to a name without a file is not among them.
 */
export const socketsToHide = (files: SocketFiles): Hidden[] => {
  const bound =
    boundHere(files)?.flatMap(({ name }) => (name.startsWith('/') && !SIGN_OF_LIFE.test(name) ? [name] : [])) ?? [];
  const mounted = mountPoints(files).filter((path) => files.kindOf(path) === 'other');
  const paths = [...bound, ...mounted, ...OF_SERVICES].flatMap((path) => files.realpath(path) ?? []);
  return [...new Set(paths)].flatMap((path) => specialIn(files, path, DEPTH)).map((path) => ({ path, kind: 'file' }));
};

/** Devices stay: a sandbox has its own `/dev`. Source: Linux, proc_pid_mountinfo(5). */
const mountPoints = (files: SocketFiles): string[] => {
  const lines = (files.readText('/proc/self/mountinfo') ?? '').split('\n');
  const escaped = lines.flatMap((line) => line.split(' ')[4] ?? []).filter((path) => !path.startsWith('/dev/'));
  return escaped.map((path) =>
    path.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8))),
  );
};

/** The path if it is a socket or the like, or those in the folder. */
const specialIn = (files: SocketFiles, path: string, depth: number): string[] => {
  const kind = files.kindOf(path);
  if (kind === 'other') return [path];
  if (kind !== 'folder' || depth === 0) return [];
  const names = files.list(path).filter((name) => name !== OF_DEVICES && !OF_DISKS.includes(name));
  return names.flatMap((name) => specialIn(files, inFolder(path, name), depth - 1));
};
