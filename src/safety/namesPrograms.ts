/** Finds out whether git would run programs that a repository names. */
import { dirname, join, resolve } from 'node:path';

/** Absolute paths; `readText` is undefined where there is no file that can be read, and follows links. */
export type RepositoryFiles = { readText: (path: string) => string | undefined };

/**
 * Sections of a git configuration that name programs, bring in other files that may, or make git run git in other repositories.
 * Programs that git is kept from by its environment are not among them: fsmonitor, hooks, pagers, signatures.
 * Source: git-config(1) 2.39 and 2.51: diff.external, diff.*.command, diff.*.textconv, filter.*, hook.*, status.submoduleSummary.
 */
const SECTIONS = /\[\s*(?:diff|filter|hook|include|includeif|status)\b/i;

/** A git directory has these in it, also where it is not called `.git`. */
const CONFIGS = ['config', 'config.worktree'];

/**
 * True if git in this folder could read a configuration of a repository that names programs. All folders above are looked at, because
 * git passes over what is no repository.
 * @param folder absolute, without links
 */
export const namesPrograms =
  ({ readText }: RepositoryFiles) =>
  (folder: string): boolean =>
    foldersUp(folder)
      .flatMap((at) => [at, ...gitFolders(readText, join(at, '.git'))])
      .some((gitFolder) => CONFIGS.some((name) => SECTIONS.test(readText(join(gitFolder, name)) ?? '')));

const foldersUp = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersUp(dirname(folder))];

/** Where `.git` is a file it names the folder, and that may name a common one; blanks belong to the names. Source: git 2.39, setup.c. */
const gitFolders = (readText: RepositoryFiles['readText'], path: string): string[] => {
  const named = /^gitdir: (.*?)[\r\n]*$/s.exec(readText(path) ?? '')?.[1];
  const gitFolder = named === undefined ? path : resolve(dirname(path), named);
  const common = readText(join(gitFolder, 'commondir'))?.replace(/[\r\n]+$/, '');
  return common ? [gitFolder, resolve(gitFolder, common)] : [gitFolder];
};
