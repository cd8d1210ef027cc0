/** A folder of the real file system for specs of what is written there, and its faults. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileSystem } from '../../src/io/files/fileSystem';
import type { LockDeps } from '../../src/io/files/lockFile';
import { type Owner, type Owners, ownerState, ownerText } from '../../src/io/files/owner';

const made: string[] = [];

/** A new empty folder; links in its path are resolved. */
export const openFolder = (): string => {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'codex-rx-')));
  made.push(root);
  return root;
};

const REMOVE_FOR_MS = 10_000;
const TRY_EVERY_MS = 50;

/**
 * Removes a folder in which a process that is just ending may still write: looks through it again for up to ten seconds.
 * Node's own retries do not see what was written after they began.
 */
export const removeFolder = async (path: string): Promise<void> => {
  for (let left = REMOVE_FOR_MS; ; left -= TRY_EVERY_MS) {
    try {
      return fs.rmSync(path, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || left <= 0) throw error;
      await new Promise((wake) => setTimeout(wake, TRY_EVERY_MS));
    }
  }
};

/** Removes every folder that was opened. */
export const removeFolders = (): void => {
  for (const root of made.splice(0)) fs.rmSync(root, { recursive: true, force: true });
};

/** A process of a host without boot ids; `starts` has the start of each process that lives there. */
export const ownersOf = (self: Owner, starts: Record<number, string>): Owners => ({
  self: () => self,
  stateOf: (owner) => ownerState({ facts: self, startOf: (pid) => starts[pid], knock: () => 'unknown' }, owner),
  nameOf: (owner) => ownerText(owner, self),
  forget: () => {},
});

/** The process 7 of a host; `starts` has the start of each process that lives there. Names are counted from 1. */
export const lockDeps = (
  root: string,
  starts: Record<number, string> = { 7: 'a' },
  more: Partial<FileSystem> = {},
): LockDeps => {
  let names = 0;
  return {
    fs: { ...fs, ...more },
    root,
    owners: ownersOf({ pid: 7, start: starts[7] ?? 'a', host: 'here' }, starts),
    newName: () => {
      names += 1;
      return String(names);
    },
    now: () => Date.now(),
  };
};

/** An error of the system. */
export const systemError = (code: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${code}: fails`), { code });

/** The access bits of a path. */
export const modeOf = (path: string): number => fs.lstatSync(path).mode & 0o777;
