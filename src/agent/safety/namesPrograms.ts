/** Determines whether git would run programs that a repository names. */
import { dirname, join, resolve } from 'node:path';
import { gitdirOf, withoutEndBreaks } from '../../streams/text/trim';
import { climbsBack } from './climbsBack';
import { gitlinksOf } from './gitlinks';

/**
 * The files of a repository by absolute path; links are followed. `realpath` is undefined where there is nothing. `readText` and `readBytes`
 * return undefined where there is no readable file, and throw where that cannot be determined. `isPlain` is false for what exists but is
 * not read: a pipe, whose writer could answer git arbitrarily, a device, a file that is too long.
 */
export type RepositoryFiles = {
  realpath: (path: string) => string | undefined;
  isPlain: (path: string) => boolean;
  readText: (path: string) => string | undefined;
  readBytes: (path: string) => Buffer | undefined;
};

/**
 * Sections of a git configuration that name programs, include other files that may, or make git run git in other repositories.
 * Programs that the environment keeps git from running are not among them: fsmonitor, hooks, pagers, signatures.
 * Source: git-config(1) 2.39 and 2.51: diff.external, diff.*.command, diff.*.textconv, filter.*, hook.*, status.submoduleSummary.
 */
const SECTIONS = /\[\s*(?:diff|filter|hook|include|includeif|status)\b/i;

/**
 * A work tree elsewhere, whose submodules git visits. One with quotes, escapes or a comment counts as elsewhere.
 * Source: git 2.39, config.c and setup.c.
 */
const WORK_TREE = /\bworktree\s*=[ \t]*([^\n]*)/gi;

/** A git directory contains these, even if it is not called `.git`. */
const CONFIGS = ['config', 'config.worktree'];

/**
 * True if git in this folder could read a configuration of a repository that names programs. All folders above are checked, because git
 * skips folders that are not repositories; and the submodules of each, because `git status` runs git in them. Also true if something cannot be checked.
 * @param folder absolute, without links
 */
export const namesPrograms =
  (files: RepositoryFiles) =>
  (folder: string): boolean => {
    try {
      return foldersUp(folder).some((at) => hasSections(files, at) || namesInTree(files, at, MAX_DEPTH));
    } catch {
      return true; // no more files can be opened, or a path cannot be followed: what is there is unknown
    }
  };

/** How deep submodules are followed into submodules; deeper ones count as if they named programs. */
const MAX_DEPTH = 5;

/** The repository whose work tree begins in this folder, and its submodules. */
const namesInTree = (files: RepositoryFiles, folder: string, depth: number): boolean => {
  if (!files.isPlain(join(folder, '.git'))) return true;
  const own = ownFolder(files, folder);
  if (![join(own, 'commondir'), join(own, 'index')].every(files.isPlain)) return true;
  const workTree = { own, folder };
  const common = commonFolder(files, own);
  if ([own, common].some((gitFolder) => hasSections(files, gitFolder, workTree))) return true;
  const index = files.readBytes(join(own, 'index'));
  if (index === undefined) return false;
  const links = gitlinksOf(index, hashesOf(files, common));
  if (links === undefined || (links.length > 0 && depth === 0)) return true;
  return links.some((link) => namesInTree(files, follow(files, folder, toText(link)), depth - 1));
};

/** `own`: the git directory of a work tree, `folder`: where this begins. Without them a work tree anywhere is one elsewhere. */
type WorkTree = { own: string; folder: string };

const hasSections = (files: RepositoryFiles, gitFolder: string, workTree?: WorkTree): boolean =>
  CONFIGS.map((name) => join(gitFolder, name)).some((path) => {
    if (!files.isPlain(path)) return true;
    const config = files.readText(path) ?? '';
    return SECTIONS.test(config) || isElsewhere(files, config, workTree);
  });

const isElsewhere = (files: RepositoryFiles, config: string, workTree?: WorkTree): boolean =>
  [...config.matchAll(WORK_TREE)].some(
    ([, value = '']) =>
      !workTree || /["\\;#]/.test(value) || follow(files, workTree.own, withoutBlanks(value)) !== workTree.folder,
  );

const withoutBlanks = (value: string): string => value.replace(/(?<![ \t\r])[ \t\r]+$/, '');

/** The configuration may say SHA-256 in many spellings, or only seem to. */
const hashesOf = ({ readText }: RepositoryFiles, gitFolder: string): number[] =>
  /objectformat/i.test(readText(join(gitFolder, 'config')) ?? '') ? [20, 32] : [20];

/** A path of the index, which is stored as bytes. */
const toText = (latin1: string): string => Buffer.from(latin1, 'latin1').toString();

const foldersUp = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersUp(dirname(folder))];

/** If `.git` is a file, it names the git directory; blanks belong to the name. Source: git 2.39, setup.c. */
const ownFolder = (files: RepositoryFiles, folder: string): string =>
  follow(files, folder, gitdirOf(files.readText(join(folder, '.git'))) ?? '.git');

/** The git directory that others share with this one, or this one. */
const commonFolder = (files: RepositoryFiles, own: string): string =>
  follow(files, own, withoutEndBreaks(files.readText(join(own, 'commondir')) ?? ''));

/**
 * Where a path leads that a repository names, links resolved. Throws where that is uncertain, as with letters that are not UTF-8, or a NUL.
 * @param from without links
 */
const follow = (files: RepositoryFiles, from: string, named: string): string => {
  if (/[\0\ufffd]/.test(named) || climbsBack(named)) throw new Error('an uncertain path');
  const path = resolve(from, named);
  return files.realpath(path) ?? path;
};
