/** Makes a new private file, and writes bytes so that all of them are in the system or on the disk. */
import { failedWith } from './fileError';
import type { FileSystem } from './fileSystem';

export type NewText = {
  text: string;
  /** The call returns when the system has the text, or when the disk has it, so that it outlives a crash of the machine. */
  until: 'system' | 'disk';
};

type CreateFs = Pick<FileSystem, 'openSync' | 'writeSync' | 'fsyncSync' | 'closeSync' | 'rmSync'>;

/** Makes a file (0600). Throws the error of the system: EEXIST if the name is taken, also by a link; no part of the file is left behind. */
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

/** The system may write only a part at once. Throws the error of the system. */
export const writeAll = (fs: Pick<FileSystem, 'writeSync'>, fd: number, bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at);
};

/** Node's permission model refuses it, whatever rights were given. Source: Node 20.20 to 26.10. */
export const SYNC_REFUSED = 'ERR_ACCESS_DENIED';

/** Returns when the disk has the bytes of a file. If Node does not permit that, the system writes them in its own time. */
export const syncFile = ({ fsyncSync }: Pick<FileSystem, 'fsyncSync'>, fd: number): void => {
  try {
    fsyncSync(fd);
  } catch (error) {
    if (!failedWith(error, SYNC_REFUSED)) throw error;
  }
};
