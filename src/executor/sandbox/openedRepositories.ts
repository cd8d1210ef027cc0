/** Git directories that the operator names as writable roots: commands write in them, but not what a later git runs or obeys. */
import { inFolder, isWithinAny } from '../../io/paths/relations';
import { isGitDirectory } from './closedPlaces';
import { type Protected, type ProtectedFiles, refuseLinks } from './findProtected';
import type { Roots } from './pinRoots';

/** A folder that is kept in such a directory while commands run, with files next to it that must not come from a command. */
const GUARD = 'codex-rx-sandbox';

/** What git takes for granted if these files are missing: `commondir` leads to another config, and so do settings of a worktree. */
const TAKEN_FOR_GRANTED = { commondir: '.\n', 'config.worktree': '' };

/** The files that belong to a guard, with their texts; none for another path. */
export const guardedBy = (path: string): readonly (readonly [path: string, text: string])[] => {
  const folder = path.slice(0, -GUARD.length - 1);
  if (path !== inFolder(folder, GUARD)) return [];
  return Object.entries(TAKEN_FOR_GRANTED).map(([name, text]) => [inFolder(folder, name), text]);
};

/**
 * True for a placeholder that must outlive the command: `commondir` next to a `.git` that is no valid git directory any more. It keeps git from taking the
 * folder around for a repository, whose settings it would obey. Source: git 2.39, is_git_directory.
 */
export const mustStay = (files: Pick<ProtectedFiles, 'kindOf' | 'readText'>, path: string): boolean => {
  const git = isNextToGit(path) ? `${path.slice(0, -COMMON.length)}.git` : undefined;
  return git !== undefined && files.kindOf(git) === 'folder' && !isIntact(files, git);
};

/** True for a placeholder that only a process which can look at the git directory may remove. */
export const isNextToGit = (path: string): boolean => path.endsWith(`/${COMMON}`);

const COMMON = 'commondir';

const isIntact = ({ kindOf, readText }: Pick<ProtectedFiles, 'kindOf' | 'readText'>, git: string): boolean =>
  /^(?:ref: refs\/|[0-9a-f]{40})/.test(readText(inFolder(git, 'HEAD')) ?? '') &&
  ['objects/pack', 'refs/heads'].every((name) => kindOf(inFolder(git, name)) !== undefined); // undefined also if the folder around cannot be searched

/** What git writes by itself, and neither runs nor obeys. Anything else, such as `config` and `hooks`, stays. Source: gitrepository-layout(5). */
const STATE =
  /^(?:[A-Z_]+|.*\.lock|objects|refs|reftable|logs|info|index|packed-refs|shallow|lfs|rr-cache|sequencer|rebase-(?:merge|apply)|sharedindex\..*|gc\.(?:pid|log)|fsmonitor--daemon.*)$/;

type Opened = Protected & {
  /** Git directories that commands write in. */
  writable: readonly string[];
};

/**
 * Opens the roots that are in git directories, and the git directories in them which the workspace uses. A path that was named itself is opened as it is.
 * Throws SandboxError if a link stands for something that git obeys.
 * @param kept paths that stay protected in any case
 */
export const openRepositories = (
  files: ProtectedFiles,
  { workspace, repositories = [] }: Roots,
  { existing, missing, kept }: Protected & { kept: readonly string[] },
): Opened => {
  const isOpened = (path: string): boolean =>
    !kept.includes(path) &&
    (repositories.includes(path) || (isWithinAny(repositories, path) && isGitDirectory(files, path)));
  const writable = [...new Set([...repositories, ...existing.filter(isOpened)])];
  const obeyed = writable
    .flatMap((folder) => obeyedIn(files, folder))
    .filter((path) => isWithinAny([...workspace, ...writable], path) && !repositories.includes(path));
  for (const path of obeyed) refuseLinks(files, writable, path);
  const isKept = (path: string): boolean => files.kindOf(path) !== undefined && guardedBy(path).length === 0;
  return {
    existing: [...existing.filter((path) => !isOpened(path)), ...obeyed.filter(isKept)],
    missing: [...missing, ...obeyed.filter((path) => !isKept(path))],
    writable,
  };
};

/**
 * What git runs or obeys of a git directory, there or not, and the placeholder next to it; nothing of a part such as `.git/refs`. The paths alone decide: an
 * earlier command may have made the directory look like none.
 */
const obeyedIn = ({ list }: ProtectedFiles, folder: string): string[] => {
  const part = folder.slice(folder.lastIndexOf('/.git') + '/.git'.length);
  if (part !== '' && !/^\/(?:modules|worktrees)\//.test(part)) return [];
  const names = new Set([...list(folder).filter((name) => !STATE.test(name)), 'config', 'hooks', GUARD]);
  const nextTo = part === '' ? [inFolder(folder.slice(0, -'/.git'.length) || '/', COMMON)] : [];
  return [...[...names].map((name) => inFolder(folder, name)), ...nextTo];
};
