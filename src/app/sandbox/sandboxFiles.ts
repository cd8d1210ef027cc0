/** The files that sandboxes are made of, on this machine. */
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { FileKind, FolderOutcome, PinPath, SandboxFiles, SealBytes } from '../../executor';
import { inParent, openNoFollow } from './openNoFollow';
import { isScarce, readPlain } from './readPlain';

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

/** Undefined where the system refuses; anything else is a bug. */
const tried = <T>(call: () => T): T | undefined => {
  try {
    return call();
  } catch (error) {
    if (/^E[A-Z]+$/.test(codeOf(error))) return undefined;
    throw error;
  }
};

const REFUSED = ['EACCES', 'EPERM', 'EROFS'];

const made = (call: () => void): FolderOutcome => {
  try {
    call();
    return 'there';
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return 'there';
    return REFUSED.includes(code) ? 'refused' : 'failed';
  }
};

const kindOf = (path: string): FileKind | undefined => {
  const facts = tried(() => lstatSync(path, { throwIfNoEntry: false }));
  if (facts === undefined) return undefined;
  if (facts.isSymbolicLink()) return 'link';
  return facts.isDirectory() ? 'folder' : facts.isFile() ? 'file' : 'other';
};

/** A command could put a link in the place of a folder above. On other systems than Linux there is nothing better than the path. */
const inPlace = process.platform === 'linux' ? inParent : <T>(path: string, act: (path: string) => T): T => act(path);

/** The disk of this machine, as sandboxes need it. What cannot be read is undefined, or an empty list. */
export const sandboxFiles: SandboxFiles = {
  realpath: (path) => tried(() => realpathSync.native(path)),
  kindOf,
  readText: (path) => readPlain(path)?.toString(),
  readBytes: readPlain,
  list: (path) => tried(() => readdirSync(path)) ?? [],
  makeFolder: (path) => made(() => inPlace(path, (at) => mkdirSync(at))),
  makeFile: (path) => made(() => inPlace(path, (at) => closeSync(openSync(at, 'wx', 0o600)))),
  removeFolder: (path) => tried(() => inPlace(path, (at) => rmdirSync(at))),
  removeFile: (path) => tried(() => inPlace(path, (at) => unlinkSync(at))),
};

/** Not among Node's constants. Source: Linux, asm-generic/fcntl.h: O_TMPFILE is this bit and O_DIRECTORY. */
const TMPFILE = 0o20000000 | constants.O_DIRECTORY | constants.O_RDWR;

/** A file without a name, so that nobody can open and change it. Where the system makes none, the name is removed before anything is written. */
const openNameless = (temporary: string): number => {
  for (const folder of ['/dev/shm', temporary]) {
    const fd = tried(() => openSync(folder, TMPFILE, 0o600));
    if (fd !== undefined) return fd;
  }
  const folder = mkdtempSync(join(temporary, 'codex-rx-'));
  try {
    const path = join(folder, 'kept');
    const fd = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return fd;
  } finally {
    rmdirSync(folder);
  }
};

const openIfThere = (path: string): number | undefined => {
  try {
    return openNoFollow(path);
  } catch (error) {
    if (/^E[A-Z]+$/.test(codeOf(error)) && !isScarce(error)) return undefined;
    throw error;
  }
};

/** Holds a path open. Linux only. Throws where no more files can be opened. @param pid of this process, under which others find what is held */
export const pinPath =
  ({ pid }: { pid: number }): PinPath =>
  (path) => {
    const fd = openIfThere(path);
    return fd === undefined ? undefined : { path: `/proc/${pid}/fd/${fd}`, release: () => closeSync(fd) };
  };

/** Keeps bytes in a nameless file. Linux only. @param pid of this process, under which others find it; @param temporary a folder for temporary files */
export const sealBytes =
  ({ pid, temporary }: { pid: number; temporary: string }): SealBytes =>
  (bytes) => {
    const fd = openNameless(temporary);
    try {
      writeFileSync(fd, bytes);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    return { path: `/proc/${pid}/fd/${fd}`, release: () => closeSync(fd) };
  };
