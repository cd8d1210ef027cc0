/**
 * The rules of a `.gitignore`. Own code: the package `ignore` makes regular expressions of patterns that nobody vouches for, see glob.ts.
 * Source: gitignore(5).
 */
import { fitsGlob, type Glob, toGlob } from './glob';

type Rule = { glob: Glob; isNegated: boolean; foldersOnly: boolean };

/** The rules of one file, in order; `folder` is the relative path of its folder, '' for the root of the search. */
export type Ignores = { folder: string; rules: readonly Rule[]; chars: number };

/** More than this is not read: a search tries each rule on every path. The last one counts for a path and all folders above it. */
const MAX_RULES = 1_000;
const MAX_PATTERN = 256;
const MAX_CHARS = 16_384;

/**
 * Reads the `.gitignore` of a folder.
 * @param above those of the folders above it
 */
export const ignoresOf = (text: string, folder: string, above: readonly Ignores[] = []): Ignores => {
  let chars = 0;
  const room = MAX_CHARS - above.reduce((sum, one) => sum + one.chars, 0);
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line.length <= MAX_PATTERN)
    .map((line) => line.replace(/(?<!\\) +$/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, MAX_RULES)
    .filter((line) => {
      chars += line.length;
      return chars <= room;
    });
  return { folder, rules: lines.map(toRule), chars: lines.reduce((sum, { length }) => sum + length, 0) };
};

/** True for a path, relative to the root of the search, that the rules leave out. The last rule that fits decides. */
export const isIgnored = (all: readonly Ignores[], path: string, isFolder: boolean): boolean => {
  for (let at = all.length - 1; at >= 0; at--) {
    const { folder, rules } = all[at] as Ignores;
    const inside = folder === '' ? path : path.slice(folder.length + 1);
    const last = rules.findLast(({ glob, foldersOnly }) => (isFolder || !foldersOnly) && fitsGlob(glob, inside));
    if (last !== undefined) return !last.isNegated;
  }
  return false;
};

/** A pattern with a slash before its end is anchored to its folder; any other fits at every depth. */
const toRule = (line: string): Rule => {
  const isNegated = line.startsWith('!');
  const body = line.replace(/^!/, '');
  const path = body.replace(/\/$/, '');
  const anchored = path.includes('/') ? path.replace(/^\//, '') : `**/${path}`;
  return { glob: toGlob(anchored), isNegated, foldersOnly: body.endsWith('/') };
};
