/** Arguments in general: connectors, flags, flags with values, line ranges. For display only. */
import { resolve } from 'node:path';
import type { KnownWords } from './readTrust';

const CONNECTORS = new Set(['&&', '||', '|', ';']);

/** True for a word that joins two commands. */
export const isConnector = (word: string): boolean => CONNECTORS.has(word);

/** The words before the first connector; a quoted `'|'` counts as one. Source: Codex 0.28.0. */
export const untilConnector = (words: readonly string[]): readonly string[] => {
  const end = words.findIndex(isConnector);
  return end < 0 ? words : words.slice(0, end);
};

/** True for a word that is an option rather than an operand. */
export const isFlag = (word: string): boolean => word.startsWith('-');

type Kept = { words: string[]; next: 'look' | 'skip' | 'keep' };

/** The words without `--name=value`, without the given flags and their values, and without the first `--`, after which all words stay. */
export const skipFlagValues = (words: readonly string[], flags: readonly string[]): string[] =>
  words.reduce<Kept>(
    ({ words, next }, word) => {
      if (next === 'skip') return { words, next: 'look' };
      if (next === 'look' && word === '--') return { words, next: 'keep' };
      if (next === 'look' && word.startsWith('--') && word.includes('=')) return { words, next };
      if (next === 'look' && flags.includes(word)) return { words, next: 'skip' };
      words.push(word);
      return { words, next };
    },
    { words: [], next: 'look' },
  ).words;

/** True for `3p` and `3,5p`. */
export const isLineRange = (word: string): boolean => /^[0-9]+(,[0-9]+)?p$/.test(word);

/**
 * True for a path with `..` behind a name: that name may be a link, and `link/..` is the folder above its target. Behind an option too,
 * as in `--file=link/..`.
 */
export const climbsBack = (path: string): boolean => /(?:^|[/=])(?!\.{1,2}\/)[^/]+\/(?:\.?\/)*\.\.(?:\/|$)/.test(path);

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
