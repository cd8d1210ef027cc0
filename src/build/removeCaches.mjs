/** Caches of compiled code belong to the build that made them. */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * Removes the caches in a folder, of whatever release of Node: V8 tells a script from another by its length alone, and takes the cache of an
 * earlier build for that of a later one.
 */
export const removeCaches = (folder) => {
  for (const file of readdirSync(folder)) if (file.endsWith('.cache')) rmSync(path.join(folder, file));
};
