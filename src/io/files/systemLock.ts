/** Locks of the operating system. Own code: packages for flock are native addons that take locks; here the holder of one is read. */
import type { FileSystem } from './fileSystem';

export type SystemLockDeps = Pick<
  FileSystem,
  'openSync' | 'readSync' | 'closeSync' | 'lstatSync' | 'statSync' | 'readdirSync'
>;

/** What tells a file from all others of this machine. */
type FileId = { dev: number; ino: number };

const MAX_BYTES = 1_048_576;

/** The process that has a lock on a file, if the system reveals it. Source: proc(5): `1: FLOCK  ADVISORY  WRITE 12473 fe:00:2427620 0 EOF`. */
export const systemLock =
  (fs: SystemLockDeps) =>
  (path: string): number | undefined => {
    const found = fs.lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    const line = locksOf(fs).find(([, kind, , , pid, place = '']) => {
      if (kind !== 'FLOCK' || !place.endsWith(`:${found.ino}`)) return false;
      return place.startsWith(`${deviceText(found)}:`) || hasOpen(fs, Number(pid), found);
    });
    return line === undefined ? undefined : Number(line[4]);
  };

/** Source: makedev(3) of Linux: twelve bits of the major number above eight of the minor one, and the rest of both above. */
const deviceText = ({ dev }: FileId): string => {
  const bitsFrom = (at: number, mask: number): number => Math.floor(dev / 2 ** at) & mask;
  const major = bitsFrom(8, 0xfff) | bitsFrom(32, 0x7ffff000);
  const minor = bitsFrom(0, 0xff) | bitsFrom(12, 0x7fffff00);
  return [major, minor].map((number) => number.toString(16).padStart(2, '0')).join(':');
};

/** Where a file system has several devices (btrfs, overlayfs), the table names another one than stat does; files of the process decide. */
const hasOpen = (fs: SystemLockDeps, pid: number, { dev, ino }: FileId): boolean => {
  const folder = `/proc/${pid}/fd`;
  try {
    return fs.readdirSync(folder).some((name) => {
      const open = fs.statSync(`${folder}/${name}`, { throwIfNoEntry: false });
      return open?.ino === ino && open.dev === dev;
    });
  } catch {
    return false; // a process of another user, or it has just ended
  }
};

const locksOf = (fs: SystemLockDeps): string[][] => {
  try {
    const fd = fs.openSync('/proc/locks', 'r');
    const bytes = Buffer.allocUnsafe(MAX_BYTES);
    try {
      const text = bytes.toString('latin1', 0, fs.readSync(fd, bytes, 0, MAX_BYTES, 0));
      return text.split('\n').map((line) => line.split(/\s+/));
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return []; // a system without /proc
  }
};
