/** Relations of absolute paths without links, by their text alone. */
import { dirname } from 'node:path';
import { isWithin } from '../../streams/text/trim';

/** True if `path` is in a folder of the list, or in the list itself. */
export const isWithinAny = (folders: readonly string[], path: string): boolean =>
  folders.some((folder) => isWithin(folder, path));

/** The path, and all folders above it, up to the root of the file system. */
export const foldersUp = (path: string): string[] => {
  const above = dirname(path);
  return above === path ? [path] : [path, ...foldersUp(above)];
};

/** The folders below `folder` on the way to `path`, both left out, from the top down. `path` is in `folder`. */
export const foldersBetween = (folder: string, path: string): string[] =>
  foldersUp(path)
    .filter((at) => at !== path && at !== folder && isWithin(folder, at))
    .reverse();

/** The path of a name in a folder. */
export const inFolder = (folder: string, name: string): string => (folder === '/' ? `/${name}` : `${folder}/${name}`);
