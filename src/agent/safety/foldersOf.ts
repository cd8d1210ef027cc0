/** Determines in which folders the commands of a trusted script may run. */
import { resolve } from 'node:path';
import { climbsBack } from './climbsBack';
import type { KnownWords } from './readTrust';

/** More folders than this count as unknown. */
const MAX_FOLDERS = 16;

/**
 * Every folder in which a command of the script may run, `cwd` first; undefined where that is uncertain. Each `cd` adds to the folders,
 * because it may fail, or run in a part of a pipeline. After a name, `..` is uncertain: where bash finds no folder by the text of the
 * path, it follows a link of that name.
 *   cd a && git status; cd b   in /w  ->  /w /w/a /w/b /w/a/b
 * @param cwd without links
 */
export const foldersOf = (commands: readonly KnownWords[], cwd: string): readonly string[] | undefined => {
  let folders = [cwd];
  for (const [name, ...words] of commands) {
    if (name !== 'cd') continue;
    const [target] = words;
    if (words.length !== 1 || !target || target.startsWith('-')) return undefined;
    if (climbsBack(folders.length > 1 ? `a/${target}` : target)) return undefined;
    folders = [...new Set([...folders, ...folders.map((folder) => resolve(folder, target))])];
    if (folders.length > MAX_FOLDERS) return undefined;
  }
  return folders;
};
