/** Removes compile caches, which belong to the build that made them. */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * Removes the caches in a folder, of whatever Node release: V8 identifies a script by its length alone, and would mistake the cache of an
 * earlier build for that of a later one.
 */
export const removeCaches = (folder) => {
  for (const file of readdirSync(folder)) if (file.endsWith('.cache')) rmSync(path.join(folder, file));
};
