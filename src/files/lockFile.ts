/** Locks between processes, which end with their process. Own code: those of `proper-lockfile` are renewed by a timer, and end seconds after a crash. */
import { dirname } from 'node:path';
import { parseObject } from '../protocol/jsonrpc';
import { createFile, type NewText } from './createFile';
import { failedWith, toFileError } from './fileError';
import type { FileDeps } from './fileSystem';
import { nameAgain, noteLock, type OwnLocks } from './ownLocks';
import { makeFolder } from './privateFolder';
import { readText } from './readFile';

/** A process as others can recognise it: `start` tells it from a later one of the same `pid`; `host` is where the pid is valid. */
export type Holder = { pid: number; start: string; host: string };

/**
 * @param self this process; @param startOf when a process of this host began, undefined where there is no process of that pid
 * @param newName makes a part of a name that nobody else uses; @param now in ms since 1970
 * @param own the locks that this process has; absent where each is a file of its own
 */
export type LockDeps = FileDeps & {
  self: Holder;
  startOf: (pid: number) => string | undefined;
  newName: () => string;
  now: () => number;
  own?: OwnLocks;
};

/** The lock, which `release` gives back, or its holder. */
export type Lock = { kind: 'locked'; release: () => void } | { kind: 'taken'; holder: Holder; path: string };

/** The holder where a lock file cannot be parsed, as one of another program. */
const UNKNOWN: Holder = { pid: 0, start: '', host: '' };

/** A guard, and a lock without its text, exist for the time of three system calls; older ones were left by a crash. */
const CRASHED_MS = 5_000;

/** File systems without hard links, such as FAT and some network and FUSE ones, refuse a link with one of these. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'EACCES'];

/**
 * Takes a lock without waiting. The file names its holder; one whose process has ended is taken over. Of any number of processes
 * that try at once, one gets it. Throws FileError where the file cannot be written.
 */
export const takeLock = (deps: LockDeps, path: string): Lock => {
  try {
    makeFolder(deps, dirname(path));
    if (claimOwn(deps, path)) return locked(deps, path);
    const holder = holderOf(deps, path);
    if (holder !== undefined && isAlive(deps, holder)) return { kind: 'taken', holder, path };
    return takeOver(deps, path);
  } catch (error) {
    throw toFileError(path, 'cannot be written', error);
  }
};

const claimOwn = (deps: LockDeps, path: string): boolean => {
  const { own } = deps;
  if (own === undefined) return claim(deps, path);
  return nameAgain(deps, own, path) ?? (claim(deps, path) && noteLock(deps, own, path));
};

/** The name appears with its content, so nobody reads half of it; false where it is there already. */
const claim = (deps: LockDeps, path: string): boolean => {
  const { fs, self, newName } = deps;
  const draft = `${path}.${newName()}`;
  const text: NewText = { text: `${JSON.stringify(self)}\n`, until: 'system' };
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

const locked = ({ fs, own }: LockDeps, path: string): Lock => ({
  kind: 'locked',
  release: () => {
    own?.names.delete(path);
    fs.rmSync(path, { force: true });
  },
});

/** Undefined where the file is gone, and where a crash left it without its text. */
const holderOf = (deps: LockDeps, path: string): Holder | undefined => {
  const text = readText(deps, path);
  if (text === undefined || (text === '' && isOld(deps, path))) return undefined;
  return parseHolder(text);
};

const parseHolder = (text: string): Holder => {
  const holder = parseObject(text);
  if (holder === undefined) return UNKNOWN;
  const { pid, start, host } = holder;
  return { pid: Number(pid), start: String(start), host: String(host) };
};

/** Whether a process of another host lives cannot be seen from here, so it counts as one that does. */
const isAlive = ({ self, startOf }: LockDeps, { pid, start, host }: Holder): boolean =>
  host !== self.host || startOf(pid) === start;

/** Only the process that has the guard may remove a lock, so none removes one that was taken in between. */
const takeOver = (deps: LockDeps, path: string): Lock => {
  const { fs } = deps;
  const guard = `${path}.guard`;
  dropOldGuard(deps, guard);
  if (!claim(deps, guard)) return { kind: 'taken', holder: holderOf(deps, path) ?? UNKNOWN, path };
  try {
    const holder = holderOf(deps, path);
    if (holder !== undefined && isAlive(deps, holder)) return { kind: 'taken', holder, path };
    fs.rmSync(path, { force: true });
    if (claim(deps, path)) return locked(deps, path);
    return { kind: 'taken', holder: holderOf(deps, path) ?? UNKNOWN, path };
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

/** Who has a lock and what helps, for the text of an error. */
export const takenText = ({ holder: { pid, host }, path }: Extract<Lock, { kind: 'taken' }>, self: Holder): string => {
  if (pid === 0) return `by whoever wrote ${path}; remove that file if no program uses it`;
  return host === self.host
    ? `by the process ${pid}; end it, or wait until it is done`
    : `by the process ${pid} of the host ${host}; if that has ended, remove ${path}`;
};
