/** Files and folders that are held open for processes that start from here, in a sandbox (Linux only) or in a folder; and files without a name. */
import { closeSync, constants, fstatSync, mkdtempSync, openSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { of } from 'rxjs';
import { factsOrThrow, isReadable } from '../../io/paths/look';
import { ownProc } from '../../io/processes/ownProc';
import type { HeldFolder, HoldFolder } from '../inRealFolder';
import { openNoFollow } from './openNoFollow';
import { isScarce } from './readPlain';
import { SandboxError } from './sandbox';
import { sandboxFiles } from './sandboxFilesHere';
import type { HoldBytes, PinPath } from './wrapper/wrapForSandbox';

const NO_PROC =
  '/proc is not there, or does not show this process, so nothing can be held open for a sandbox; mount /proc where the server runs';

const isSame = (fd: number, path: string): boolean => {
  const [open, shown] = [fstatSync(fd), factsOrThrow(path)];
  return open.dev === shown.dev && open.ino === shown.ino;
};

/** The path of an open descriptor for a child. Throws SandboxError if there is none: nothing may run with a file of another process. */
const pathOf = (fd: number, proc = ownProc()): string => {
  const path = `${proc}/fd/${fd}`;
  try {
    if (isSame(fd, path)) return path;
  } catch {} // there is no such path
  throw new SandboxError(NO_PROC);
};

/** Opens a path for its name only, without following links; undefined if there is a link in it, or nothing there. */
const openIfThere = (path: string): number | undefined => {
  try {
    return openNoFollow(path);
  } catch (error) {
    if (/^E[A-Z]+$/.test(String((error as NodeJS.ErrnoException).code)) && !isScarce(error)) return undefined;
    throw error;
  }
};

/** Holds a path open. Throws if no more files can be opened, and SandboxError without /proc. @param proc the entry of this process, for specs */
export const pinPath =
  (proc = ownProc): PinPath =>
  (path) => {
    const entry = proc();
    if (entry === undefined) throw new SandboxError(NO_PROC);
    const fd = openIfThere(path);
    if (fd === undefined) return undefined;
    const release = () => closeSync(fd);
    try {
      const own = pathOf(fd, entry);
      return { path: own, opens: isReadable(own), release };
    } catch (error) {
      release();
      throw error;
    }
  };

/**
 * Linux: the folder is opened, found without following a link, and processes are started in the open folder. On other systems, and without /proc, the path is
 * checked right before the start: a link that is made in the microseconds between is not noticed.
 */
export const holdFolder =
  ({ platform, proc = ownProc }: { platform: string; proc?: typeof ownProc }): HoldFolder =>
  (path) =>
    of(platform === 'linux' && proc() !== undefined ? opened(path) : unmoved(path));

/** A child enters its folder before its exec, with the descriptors of its parent: for both `/proc/self` is their own. */
const opened = (path: string): HeldFolder | undefined => {
  const fd = openIfThere(path);
  return fd === undefined ? undefined : { path: `/proc/self/fd/${fd}`, release: () => closeSync(fd) };
};

const unmoved = (path: string): HeldFolder | undefined =>
  sandboxFiles.realpath(path) === path ? { path, release: () => {} } : undefined;

/** Not among Node's constants. Source: Linux, asm-generic/fcntl.h: O_TMPFILE is this bit and O_DIRECTORY. */
const TMPFILE = 0o20000000 | constants.O_DIRECTORY | constants.O_RDWR;

const openNameless = (folder: string): number => openSync(folder, TMPFILE, 0o600);

/** For systems that make no file without a name: the name is removed before anything is written. */
const openRemoved = (folder: string): number => {
  const own = mkdtempSync(join(folder, 'codex-rx-'));
  try {
    const path = join(own, 'kept');
    const fd = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return fd;
  } finally {
    rmdirSync(own);
  }
};

const keep = (fd: number, bytes: Uint8Array): number => {
  try {
    writeFileSync(fd, bytes);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
};

/** The first attempt that succeeds. A folder that cannot be used, or is full, is passed over. */
const firstKept = (attempts: readonly (() => number)[], folders: readonly string[]): number => {
  let reason = '';
  for (const attempt of attempts) {
    try {
      return attempt();
    } catch (error) {
      if (isScarce(error)) throw error;
      reason ||= (error as Error).message;
    }
  }
  throw new SandboxError(
    `no folder takes its temporary files: ${folders.join(', ')} were tried (${reason}); make one of them writable, or set TMPDIR to a folder that is`,
  );
};

/**
 * Stores bytes in a file without a name. Throws SandboxError if no folder accepts it, or without /proc.
 * @param folders candidates, the best first. A name that must be removed again is made in the last one first: it is this program's own
 */
export const holdBytes =
  ({ folders }: { folders: readonly string[] }): HoldBytes =>
  (bytes) => {
    const attempts = [
      ...folders.map((folder) => () => keep(openNameless(folder), bytes)),
      ...[...folders].reverse().map((folder) => () => keep(openRemoved(folder), bytes)),
    ];
    const fd = firstKept(attempts, folders);
    try {
      return { path: pathOf(fd), release: () => closeSync(fd) };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  };
