/** Writes bytes to an open file. */
import type { FileSystem } from './fileSystem';

/** The system may write only a part at once. Throws the error of the system. */
export const writeAll = (fs: Pick<FileSystem, 'writeSync'>, fd: number, bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at);
};
