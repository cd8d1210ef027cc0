/** Looks at the paths that a patch names. */
import { constants } from 'node:fs';
import { access, type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { type FileState, FOLDER, type Seen } from '../patch/seen';
import { isSystemError, systemText } from '../systemErrors';

/** What is at an absolute path; `..` and links are resolved as the system does. Never rejects. Source: Codex 0.28.0, cases `apply_patch`. */
export const look = async (path: string, maxBytes: number): Promise<Seen> => {
  try {
    return path.endsWith(sep) ? FOLDER : await lookBehindLinks(path, maxBytes);
  } catch (error) {
    return { kind: 'blocked', part: isSystemError(error, 'ENOTDIR') ? 'parent' : 'file', reason: systemText(error) };
  }
};

const lookBehindLinks = async (path: string, maxBytes: number): Promise<Seen> => {
  const real = await realpathIfThere(path);
  if (real === undefined) return lookForParent(path);
  if ((await stat(real)).isDirectory()) return FOLDER;
  const entry = join(await realpath(dirname(path)), basename(path));
  return { kind: 'file', real, entry, file: await readState(real, maxBytes) };
};

const readState = async (real: string, maxBytes: number): Promise<FileState> => {
  const bytes = await readRegular(real, maxBytes);
  const { mode } = await lstat(real);
  return { bytes, mode: mode & 0o777, access: await accessTo(real) };
};

const accessTo = async (real: string): Promise<FileState['access']> => {
  try {
    await access(real, constants.W_OK);
    return 'writable';
  } catch {
    return 'readOnly'; // whatever the reason
  }
};

/** A new file, and folders that are to be made for it. A link that leads nowhere is not followed. */
const lookForParent = async (path: string): Promise<Seen> => {
  const nothing = { kind: 'blocked', reason: 'No such file or directory (os error 2)' } as const;
  if (await isThere(path)) return { ...nothing, part: 'file' };
  const names = [basename(path)];
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    const real = await realpathIfThere(parent);
    if (real !== undefined) return { kind: 'absent', real: join(real, ...names) };
    if (basename(parent) === '..' || !isAbsolute(parent)) return { ...nothing, part: 'parent' };
    names.unshift(basename(parent));
  }
};

const isThere = async (path: string): Promise<boolean> => {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
};

const realpathIfThere = async (path: string): Promise<string | undefined> => {
  try {
    return await realpath(path);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
};

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** The bytes of a regular file. Links are not followed, and a pipe is not waited for. */
export const readRegular = async (path: string, maxBytes = Number.POSITIVE_INFINITY): Promise<Buffer> => {
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  return readHandle(handle, maxBytes).finally(() => handle.close());
};

const readHandle = async (handle: FileHandle, maxBytes: number): Promise<Buffer> => {
  const facts = await handle.stat();
  if (!facts.isFile()) throw new Error('it is not a regular file');
  if (facts.size > maxBytes)
    throw new Error(`it has ${facts.size} bytes, and only ${maxBytes} are left for the files of a patch`);
  return handle.readFile();
};
