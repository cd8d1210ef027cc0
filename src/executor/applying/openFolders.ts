/** Holds the folders of a patch open while it is applied. */
import { basename, dirname } from 'node:path';
import { isSystemError } from '../systemErrors';
import type { Disk, OpenFolder } from './disk';

/** Folders by their paths, each opened once. */
export type OpenFolders = {
  /** Opens a folder that exists. */
  at: (path: string) => Promise<OpenFolder>;
  /** Makes a folder in an existing folder. */
  make: (path: string) => Promise<void>;
  missing: (path: string) => Promise<string[]>;
  all: () => OpenFolder[];
  close: () => Promise<void>;
};

/**
 * Folders by their path, each opened once and held until `close`: a path that changes meanwhile does not change the folder.
 * `missing`: the folders that must be made before a path can be opened, outermost first.
 */
export const openFolders = ({ openFolder }: Disk): OpenFolders => {
  const open = new Map<string, OpenFolder>();
  const at = async (path: string): Promise<OpenFolder> => {
    const folder = open.get(path) ?? (await openFolder(path));
    open.set(path, folder);
    return folder;
  };
  const missing = async (path: string): Promise<string[]> => {
    try {
      await at(path);
      return [];
    } catch (error) {
      if (!isSystemError(error, 'ENOENT') || dirname(path) === path) throw error;
      return [...(await missing(dirname(path))), path];
    }
  };
  return {
    at,
    missing,
    make: async (path) => (await at(dirname(path))).makeFolder(basename(path)),
    all: () => [...open.values()],
    close: async () => void (await Promise.allSettled([...open.values()].map((folder) => folder.close()))),
  };
};
