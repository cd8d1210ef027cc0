/** Relations of absolute paths without links, by their text alone. */
import { isWithin } from '../../streams/text/trim';

/** True if `path` is in a folder of the list, or in the list itself. */
export const isWithinAny = (folders: readonly string[], path: string): boolean =>
  folders.some((folder) => isWithin(folder, path));

/** The folders below `folder` on the way to `path`, both left out, from the top down. `path` is in `folder`. */
export const foldersBetween = (folder: string, path: string): string[] => {
  const start = folder === '/' ? '' : folder;
  const names = path.slice(start.length + 1).split('/');
  return names.slice(0, -1).map((_, i) => `${start}/${names.slice(0, i + 1).join('/')}`);
};

/** The path of a name in a folder. */
export const inFolder = (folder: string, name: string): string => (folder === '/' ? `/${name}` : `${folder}/${name}`);
