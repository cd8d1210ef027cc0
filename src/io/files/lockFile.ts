/**
 * Locks between processes, which end with their process. Own code: the locks of `proper-lockfile` are renewed by a timer, and end seconds after a crash;
 * packages for flock are native addons that take locks, while here the holder of one is read.
 */
import { dirname } from 'node:path';
import { parseObject } from '../../protocol/jsonrpc/json';
import { createFile, type NewText } from './createFile';
import { failedWith, toFileError } from './fileError';
import type { FileDeps, FileSystem } from './fileSystem';
import { type Owner, type OwnerState, type Owners, readOwner } from './owner';
import { makeFolder } from './privateFolder';
import { readText } from './readFile';

export type LockDeps = FileDeps & {
  /** This process, and whether others live. */
  owners: Owners;
  /** Makes a part of a name that nobody else uses. */
  newName: () => string;
  /** Ms since 1970. */
  now: () => number;
};

/** A lock that another process has, which lives, or may live. */
export type Taken = {
  kind: 'taken';
  holder: Owner;
  /** Names the holder for people. */
  who: string;
  state: Exclude<OwnerState, 'ended'>;
  path: string;
};

/** The lock, which `release` gives back, or its holder. */
export type Lock = { kind: 'locked'; release: () => void } | Taken;

/** A guard, and a lock without its text, exist for the time of three system calls; older ones were left by a crash. */
const CRASHED_MS = 5_000;

/** File systems without hard links, such as FAT and some network and FUSE ones, refuse a link with one of these. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'EACCES'];

/** Takes a lock without waiting; one whose process has ended is taken over. One of many gets it. Throws FileError if it cannot be written. */
export const takeLock = (deps: LockDeps, path: string): Lock => {
  try {
    makeFolder(deps, dirname(path));
    if (claim(deps, path)) return locked(deps, path);
    return takenBy(deps, path) ?? takeOver(deps, path);
  } catch (error) {
    throw toFileError(path, 'cannot be written', error);
  }
};

/** The name appears with its content, so nobody reads half of it; false if it is there already. */
const claim = (deps: LockDeps, path: string): boolean => {
  const { fs, owners, newName } = deps;
  const draft = `${path}.${newName()}`;
  const text: NewText = { text: `${JSON.stringify(owners.self())}\n`, until: 'system' };
  try {
    createFile(fs, draft, text);
    fs.linkSync(draft, path);
    return true;
  } catch (error) {
    if (failedWith(error, 'EEXIST')) return false;
    if (failedWith(error, ...NO_LINKS)) return claimWithoutLink(fs, path, text);
    throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
};

/** The name may be there for a moment before its text is; see holderOf. */
const claimWithoutLink = (fs: LockDeps['fs'], path: string, text: NewText): boolean => {
  try {
    createFile(fs, path, text);
    return true;
  } catch (error) {
    if (failedWith(error, 'EEXIST')) return false;
    throw error;
  }
};

const locked = ({ fs }: LockDeps, path: string): Lock => ({
  kind: 'locked',
  release: () => fs.rmSync(path, { force: true }),
});

/** Undefined if the file is gone, if a crash left it without its text, and if its process has ended. */
const takenBy = (deps: LockDeps, path: string): Taken | undefined => {
  const holder = holderOf(deps, path);
  if (holder === undefined) return undefined;
  const state = holder.pid === 0 ? 'unknown' : deps.owners.stateOf(holder);
  if (state !== 'ended') return { kind: 'taken', holder, who: deps.owners.nameOf(holder), state, path };
  deps.owners.forget(holder);
  return undefined;
};

const holderOf = (deps: LockDeps, path: string): Owner | undefined => {
  const text = readText(deps, path);
  return text === undefined || (text === '' && isOld(deps, path)) ? undefined : readOwner(parseObject(text));
};

/** The answer to all but the first of several that take a lock over at once. */
const tooLate = (deps: LockDeps, path: string): Taken => {
  const holder = holderOf(deps, path) ?? readOwner(undefined);
  return { kind: 'taken', holder, who: deps.owners.nameOf(holder), state: 'lives', path };
};

/** Only the process that has the guard may remove a lock, so none removes a lock that was taken in between. */
const takeOver = (deps: LockDeps, path: string): Lock => {
  const { fs } = deps;
  const guard = `${path}.guard`;
  dropOldGuard(deps, guard);
  if (!claim(deps, guard)) return tooLate(deps, path);
  try {
    const taken = takenBy(deps, path);
    if (taken !== undefined) return taken;
    fs.rmSync(path, { force: true });
    return claim(deps, path) ? locked(deps, path) : tooLate(deps, path);
  } finally {
    fs.rmSync(guard, { force: true });
  }
};

const dropOldGuard = (deps: LockDeps, guard: string): void => {
  if (isOld(deps, guard)) deps.fs.rmSync(guard, { force: true });
};

const isOld = ({ fs, now }: LockDeps, path: string): boolean => {
  const found = fs.lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && now() - found.mtimeMs > CRASHED_MS;
};

/** Who has a lock and what helps, for the text of an error, after `in use`. */
export const takenText = ({ holder, who, state, path }: Taken): string => {
  if (holder.pid === 0) return `by whoever wrote ${path}; remove that file if no program uses it`;
  return state === 'unknown'
    ? `by ${who}, and whether that still runs cannot be known from here; end it, or wait until it is done. If it has ended, remove ${path}`
    : `by ${who}; end it, or wait until it is done`;
};

type SystemLockDeps = Pick<
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
