/** What can be done in a folder that is held open. */
import { constants } from 'node:fs';
import { chmod, chown, type FileHandle, link, lstat, mkdir, open, rename, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entry, NewFile, OpenFolder } from '../applying/disk';
import { readRegular } from './look';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

type FolderCare = {
  /** Rejects if another folder has the path now. */
  check: () => Promise<void>;
  close: () => Promise<void>;
};

/** @param base the path that a name in this folder is joined to */
export const folderAt = (base: string, { check, close }: FolderCare): OpenFolder => {
  const on = async <T>(name: string, act: (path: string) => Promise<T>): Promise<T> => {
    await check();
    return act(join(base, name));
  };
  return {
    entry: (name) => on(name, entryAt),
    read: (name) => on(name, (path) => readRegular(path)),
    create: (name, file) => on(name, (path) => createFile(path, file)),
    link: (name, newName) => on(name, (path) => link(path, join(base, newName))),
    rename: (name, newName) => on(name, (path) => rename(path, join(base, newName))),
    remove: (name) => on(name, unlink),
    makeFolder: (name) => on(name, makeFolder),
    removeFolder: (name) => on(name, rmdir),
    sync: () => on('.', syncFolder),
    close,
  };
};

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const entryAt = async (path: string): Promise<Entry | undefined> => {
  try {
    const facts = await lstat(path, { bigint: true });
    const { dev, ino, uid, gid } = facts;
    const kind = facts.isFile() ? 'file' : facts.isSymbolicLink() ? 'link' : facts.isDirectory() ? 'folder' : 'other';
    return { kind, id: `${dev}:${ino}`, owner: { uid: Number(uid), gid: Number(gid) } };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** Creates a file. One with a mode of its own gets it at the end: until then only its owner can read it. */
const createFile = async (path: string, { bytes, mode, owner }: NewFile): Promise<void> => {
  const handle = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode === 'default' ? 0o666 : 0o600);
  try {
    await handle.writeFile(bytes);
    if (owner) await giveTo(handle, owner);
    if (mode !== 'default') await giveMode(handle, mode);
    await sync(handle);
  } finally {
    await handle.close();
  }
};

/** Node's permission model refuses some calls by a descriptor, with any rights. Source: Node 20.20 to 26.10. */
const isRefused = (error: unknown): boolean => codeOf(error) === 'ERR_ACCESS_DENIED';

/** Changes the file that is open; by the path of its descriptor if Node refuses the descriptor itself. */
const byDescriptor = async (
  handle: FileHandle,
  change: { open: () => Promise<void>; path: (path: string) => Promise<void> },
): Promise<void> => {
  try {
    await change.open();
  } catch (error) {
    if (!isRefused(error)) throw error;
    await change.path(`/proc/self/fd/${handle.fd}`);
  }
};

/** Gives a file to its former owner. If the system does not permit that, the file stays ours. */
const giveTo = async (handle: FileHandle, { uid, gid }: { uid: number; gid: number }): Promise<void> => {
  const now = await handle.stat();
  if (now.uid === uid && now.gid === gid) return;
  try {
    await byDescriptor(handle, { open: () => handle.chown(uid, gid), path: (path) => chown(path, uid, gid) });
  } catch (error) {
    if (!['EPERM', 'EINVAL', 'ENOTSUP', 'ENOSYS'].includes(codeOf(error) ?? '')) throw error;
  }
};

const MODE_BITS = 0o7777;

const giveMode = async (handle: FileHandle, mode: number): Promise<void> => {
  if (((await handle.stat()).mode & MODE_BITS) === mode) return;
  await byDescriptor(handle, { open: () => handle.chmod(mode), path: (path) => chmod(path, mode) });
};

/** If Node refuses it, the system writes the file in its own time. */
const sync = async (handle: FileHandle): Promise<void> => {
  try {
    await handle.sync();
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
};

const makeFolder = async (path: string): Promise<void> => {
  try {
    await mkdir(path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !(await lstat(path)).isDirectory()) throw error;
  }
};

/** Flushes a folder to the disk; some systems cannot, which is no error. */
const syncFolder = async (path: string): Promise<void> => {
  try {
    const handle = await open(path, O_RDONLY | O_DIRECTORY);
    await sync(handle).finally(() => handle.close());
  } catch (error) {
    if (!['EACCES', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'].includes(codeOf(error) ?? '')) throw error;
  }
};
