/** The disk of this machine, for patches: folders held open, without following links. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { parse, sep } from 'node:path';
import { ownProc } from '../../io/processes/ownProc';
import type { Disk, OpenFolder } from '../applying/disk';
import { folderAt } from './folderAt';
import { plainFolder } from './plainFolder';

/**
 * Opens a folder for its path only, so that no right to list it is needed. Not among Node's constants; the same on every processor that Node is built
 * for. Source: open(2), asm-generic/fcntl.h.
 */
const O_PATH = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW } = constants;

/**
 * Folders by their descriptors where the system can name a file in one of those (Linux, /proc/self/fd); else, as without /proc, by their paths, with a
 * check before each use.
 */
export const localDisk = ({ platform, proc = ownProc }: { platform: string; proc?: typeof ownProc }): Disk => ({
  openFolder: (path) => (platform === 'linux' && proc() !== undefined ? openByDescriptor(path) : plainFolder(path)),
});

/** Walks down from the root; each step is into the folder that the last one opened. A link on the way is an error: ENOTDIR. */
const openByDescriptor = async (path: string): Promise<OpenFolder> => {
  const { root } = parse(path);
  let handle = await open(root, O_PATH | O_DIRECTORY);
  for (const name of path.slice(root.length).split(sep)) {
    if (name !== '') handle = await step(handle, name);
  }
  return folderAt(baseOf(handle), { check: async () => {}, close: () => handle.close() });
};

const step = async (folder: FileHandle, name: string): Promise<FileHandle> => {
  try {
    return await open(`${baseOf(folder)}/${name}`, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  } finally {
    await folder.close();
  }
};

const baseOf = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`;
