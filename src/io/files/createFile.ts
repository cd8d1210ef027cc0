/** Makes a new private file. */
import type { FileSystem } from './fileSystem';
import { syncFile } from './syncFile';
import { writeAll } from './writeAll';

/** @param until the call returns when the system has the text, or when the disk has it, so that it outlives a crash of the machine */
export type NewText = { text: string; until: 'system' | 'disk' };

type CreateFs = Pick<FileSystem, 'openSync' | 'writeSync' | 'fsyncSync' | 'closeSync' | 'rmSync'>;

/**
 * Makes a file (0600) with its text. Throws the error of the system: EEXIST where something has the name, also a link; after any other
 * failure no part of the file is left behind.
 */
export const createFile = (fs: CreateFs, path: string, { text, until }: NewText): void => {
  const fd = fs.openSync(path, 'wx', 0o600);
  try {
    writeAll(fs, fd, Buffer.from(text));
    if (until === 'disk') syncFile(fs, fd);
  } catch (error) {
    fs.rmSync(path, { force: true });
    throw error;
  } finally {
    fs.closeSync(fd);
  }
};
