/** Determines whether git would run programs that a repository names. */
import { dirname, join, resolve } from 'node:path';
import { gitdirOf, withoutEndBreaks } from '../text';
import { gitlinksOf } from './gitlinks';

/**
 * The files of a repository by absolute path; links are followed. `readText` and `readBytes` return undefined where there is no readable
 * file, and throw where that cannot be determined. `isPlain` is false for what exists but is not read: a pipe, whose writer could answer git
 * arbitrarily, a device, a file that is too long.
 */
export type RepositoryFiles = {
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
      return true; // no more files can be opened: what is there is unknown
    }
  };

/** How deep submodules are followed into submodules; deeper ones count as if they named programs. */
const MAX_DEPTH = 5;

/** The repository whose work tree begins in this folder, and its submodules. */
const namesInTree = (files: RepositoryFiles, folder: string, depth: number): boolean => {
  const [own, ...common] = gitFolders(files.readText, join(folder, '.git')) as [string, ...string[]];
  if (![join(folder, '.git'), join(own, 'commondir'), join(own, 'index')].every(files.isPlain)) return true;
  if ([own, ...common].some((gitFolder) => hasSections(files, gitFolder))) return true;
  const index = files.readBytes(join(own, 'index'));
  if (index === undefined) return false;
  const links = gitlinksOf(index, usesSha256(files, common[0] ?? own) ? 32 : 20);
  if (links === undefined || (links.length > 0 && depth === 0)) return true;
  return links.some((link) => namesInTree(files, join(folder, toText(link)), depth - 1));
};

const hasSections = ({ isPlain, readText }: RepositoryFiles, gitFolder: string): boolean =>
  CONFIGS.map((name) => join(gitFolder, name)).some((path) => !isPlain(path) || SECTIONS.test(readText(path) ?? ''));

const usesSha256 = ({ readText }: RepositoryFiles, gitFolder: string): boolean =>
  /objectformat\s*=\s*"?sha256/i.test(readText(join(gitFolder, 'config')) ?? '');

/** A path of the index, which is stored as bytes. */
const toText = (latin1: string): string => Buffer.from(latin1, 'latin1').toString();

const foldersUp = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersUp(dirname(folder))];

/** If `.git` is a file, it names the folder, which may in turn name a common one; blanks belong to the names. Source: git 2.39, setup.c. */
const gitFolders = (readText: RepositoryFiles['readText'], path: string): string[] => {
  const named = gitdirOf(readText(path));
  const gitFolder = named === undefined ? path : resolve(dirname(path), named);
  const common = withoutEndBreaks(readText(join(gitFolder, 'commondir')) ?? '');
  return common ? [gitFolder, resolve(gitFolder, common)] : [gitFolder];
};
