/** Reads small files that the system makes, such as those of /proc. */
import type { FileSystem } from './fileSystem';

const MAX_BYTES = 1024;

/** The first bytes of a file as text, undefined if it cannot be read: there is no /proc here, or the process has just ended. */
export const readSystem = (
  fs: Pick<FileSystem, 'openSync' | 'readSync' | 'closeSync'>,
  path: string,
): string | undefined => {
  try {
    const fd = fs.openSync(path, 'r');
    const bytes = Buffer.alloc(MAX_BYTES);
    try {
      return bytes.toString('latin1', 0, fs.readSync(fd, bytes, 0, MAX_BYTES, 0));
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return undefined;
  }
};
