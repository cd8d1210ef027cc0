/** A folder by its path, where the system cannot name files by a descriptor of their folder. */
import { lstat, realpath } from 'node:fs/promises';
import type { OpenFolder } from '../applying/disk';
import { folderAt } from './folderAt';

/**
 * The folder must be the one that was opened, before each use. A process that swaps a folder for a link between the check and the use,
 * some microseconds, is not noticed: no call of macOS that Node offers can prevent that.
 */
export const plainFolder = async (path: string): Promise<OpenFolder> => {
  const opened = await idOf(path);
  const check = async (): Promise<void> => {
    if ((await idOf(path)) !== opened) throw new Error(`${path} has been replaced by another folder or a link`);
  };
  return folderAt(path, { check, close: async () => {} });
};

const idOf = async (path: string): Promise<string> => {
  const { dev, ino } = await lstat(path, { bigint: true });
  if ((await realpath(path)) !== path)
    throw Object.assign(new Error('a link leads there'), { code: 'ELOOP', errno: -40 });
  return `${dev}:${ino}`;
};
