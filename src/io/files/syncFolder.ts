/** Waits until the names in a folder are on the disk. */
import { failedWith } from './fileError';
import type { FileSystem } from './fileSystem';
import { syncFile } from './syncFile';

/** Not every system can open a folder, nor can every file system sync one. */
const UNABLE = ['EACCES', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'];

/** Returns when each making, renaming and removal of a file in the folder is on the disk, where the system can do that. */
export const syncFolder = (
  fs: Pick<FileSystem, 'constants' | 'openSync' | 'fsyncSync' | 'closeSync'>,
  folder: string,
): void => {
  const { O_RDONLY, O_DIRECTORY } = fs.constants;
  if (O_DIRECTORY === undefined) return;
  try {
    const fd = fs.openSync(folder, O_RDONLY | O_DIRECTORY);
    try {
      syncFile(fs, fd);
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    if (!failedWith(error, ...UNABLE)) throw error;
  }
};
