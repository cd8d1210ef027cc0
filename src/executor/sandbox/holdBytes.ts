/** Stores bytes in files without a name, so that nobody can open and change them. Linux only. */
import { closeSync, constants, mkdtempSync, openSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathOf } from './handles';
import { isScarce } from './readPlain';
import { SandboxError } from './sandbox';
import type { HoldBytes } from './wrapper/wrapForSandbox';

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
