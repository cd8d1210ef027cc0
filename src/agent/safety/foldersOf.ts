/** Where the commands of a trusted script may run, and paths whose text does not show where they lead. */
import { resolve } from 'node:path';
import type { KnownWords } from './readTrust';

/**
 * True for a path with `..` behind a name: that name may be a link, and `link/..` is the folder above its target. Behind an option too,
 * as in `--file=link/..`.
 */
export const climbsBack = (path: string): boolean => /(?:^|[/=])(?!\.{1,2}\/)[^/]+\/(?:\.?\/)*\.\.(?:\/|$)/.test(path);

/** More folders than this count as unknown. */
const MAX_FOLDERS = 16;

/**
 * Every folder in which a command of the script may run, `cwd` first; undefined if that is uncertain. Each `cd` adds to the folders,
 * because it may fail, or run in a part of a pipeline. After a name, `..` is uncertain: if bash finds no folder by the text of the
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
