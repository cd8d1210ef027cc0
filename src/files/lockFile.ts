/** Locks between processes, which end with the process that has them. */

import { dirname } from 'node:path';
import { parseObject } from '../protocol/jsonrpc';
import { failedWith, toFileError } from './fileError';
import type { FileDeps } from './fileSystem';
import { makeFolder } from './privateFolder';
import { readText } from './readFile';

/** A process as others can know it again: `start` tells it from a later one of the same `pid`, and `host` where the pid counts. */
export type Holder = { pid: number; start: string; host: string };

/**
 * @param self this process; @param startOf when a process of this host began, undefined where there is none of that pid
 * @param newName makes a part of a name that nobody else uses; @param now in ms since 1970
 */
export type LockDeps = FileDeps & {
  self: Holder;
  startOf: (pid: number) => string | undefined;
  newName: () => string;
  now: () => number;
};

/** The lock, which `release` gives back, or who has it. */
export type Lock = { kind: 'locked'; release: () => void } | { kind: 'taken'; holder: Holder; path: string };

/** What a lock file names that cannot be read, as by a program of another kind. */
const UNKNOWN: Holder = { pid: 0, start: '', host: '' };

/** A guard is there for the time of three calls of the system; one that is older was left by a crash. */
const GUARD_MS = 5_000;

/**
 * Takes a lock without waiting. The file holds who has it; one whose process has ended is taken over. Of any number of processes
 * that try at once, one gets it. Throws FileError where the file cannot be written.
 */
export const takeLock = (deps: LockDeps, path: string): Lock => {
  try {
    makeFolder(deps, dirname(path));
    if (link(deps, path)) return locked(deps, path);
    const holder = holderOf(deps, path);
    if (holder !== undefined && isAlive(deps, holder)) return { kind: 'taken', holder, path };
    return takeOver(deps, path);
  } catch (error) {
    throw toFileError(path, 'cannot be written', error);
  }
};

/** The name appears with its content, so nobody reads half of it; false where it is there already. */
const link = ({ fs, self, newName }: LockDeps, path: string): boolean => {
  const draft = `${path}.${newName()}`;
  const fd = fs.openSync(draft, 'wx', 0o600);
  try {
    fs.writeSync(fd, Buffer.from(`${JSON.stringify(self)}\n`));
    fs.linkSync(draft, path);
    return true;
  } catch (error) {
    if (failedWith(error, 'EEXIST')) return false;
    throw error;
  } finally {
    fs.closeSync(fd);
    fs.rmSync(draft, { force: true });
  }
};

const locked = ({ fs }: LockDeps, path: string): Lock => ({
  kind: 'locked',
  release: () => fs.rmSync(path, { force: true }),
});

/** Undefined where the file is gone. */
const holderOf = (deps: LockDeps, path: string): Holder | undefined => {
  const text = readText(deps, path);
  return text === undefined ? undefined : parseHolder(text);
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

/** Only who has the guard may remove a lock, so nobody removes one that was taken in between. */
const takeOver = (deps: LockDeps, path: string): Lock => {
  const { fs } = deps;
  const guard = `${path}.guard`;
  dropOldGuard(deps, guard);
  if (!link(deps, guard)) return { kind: 'taken', holder: holderOf(deps, path) ?? UNKNOWN, path };
  try {
    const holder = holderOf(deps, path);
    if (holder !== undefined && isAlive(deps, holder)) return { kind: 'taken', holder, path };
    fs.rmSync(path, { force: true });
    if (link(deps, path)) return locked(deps, path);
    return { kind: 'taken', holder: holderOf(deps, path) ?? UNKNOWN, path };
  } finally {
    fs.rmSync(guard, { force: true });
  }
};

const dropOldGuard = ({ fs, now }: LockDeps, guard: string): void => {
  const found = fs.lstatSync(guard, { throwIfNoEntry: false });
  if (found !== undefined && now() - found.mtimeMs > GUARD_MS) fs.rmSync(guard, { force: true });
};

/** Who has a lock and what helps, for the text of an error. */
export const takenText = ({ holder: { pid, host }, path }: Extract<Lock, { kind: 'taken' }>, self: Holder): string => {
  if (pid === 0) return `by whoever wrote ${path}; remove that file if no program uses it`;
  return host === self.host
    ? `by the process ${pid}; end it, or wait until it is done`
    : `by the process ${pid} of the host ${host}; if that has ended, remove ${path}`;
};
