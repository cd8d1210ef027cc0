/** Places that no session may write, whatever its folders are: what git, Codex and this program run or obey, and the programs of the system. */
import { foldersUp, inFolder } from '../../io/paths/relations';
import { isWithin } from '../../streams/text/trim';
import { SandboxError } from './sandbox';
import type { SandboxFiles } from './sandboxFiles';

/** What deciding about a folder needs. */
export type ClosedDeps = {
  files: Pick<SandboxFiles, 'realpath' | 'kindOf'>;
  /** Files and folders of this program. Absolute paths, with links or without. */
  closed: readonly string[];
};

/** Also in nested repositories, where git reads them as well. */
const PROTECTED = new Set(['.git', '.codex', 'git~1', 'codex~1']);

/**
 * True for the name of a folder that configures git or Codex. On some disks `.GIT` is the same folder, also with invisible characters in it, or with a dot, a
 * space or a stream name after it.
 * Source: CVE-2014-9390, CVE-2019-1352.
 */
export const isProtectedName = (name: string): boolean =>
  PROTECTED.has(
    name
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .replace(/:.*$/s, '')
      .replace(/(?<![. ])[. ]+$/, '')
      .toLowerCase(),
  );

/** Folders that a sandbox replaces by its own, and folders of the programs and libraries of the system. */
const OF_SYSTEM = [
  ...['/proc', '/sys', '/dev', '/bin', '/sbin', '/lib', '/lib32', '/lib64'],
  ...['/usr/bin', '/usr/sbin', '/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/libexec'],
];

/** The place that a folder is in, or is itself; undefined if there is none. @param path absolute, without links */
export const closedPlaceOf = (deps: ClosedDeps, path: string): string | undefined =>
  namedPlaceOf(path) ?? ownPlaceOf(deps, path) ?? gitDirectoryOf(deps.files, foldersUp(path));

/**
 * True for a `.git` or a folder in one, which is closed for no other reason. Not for `modules` and `worktrees`, which hold several git directories.
 * @param path absolute, without links
 */
export const isInGit = (deps: ClosedDeps, path: string): boolean =>
  ownPlaceOf(deps, path) === undefined &&
  /\/\.git(?!\/(?:modules|worktrees)$)(?:\/|$)/.test(path) &&
  foldersUp(path).every((folder) => nameOf(folder) === '.git' || !isProtectedName(nameOf(folder)));

const nameOf = (folder: string): string => folder.slice(folder.lastIndexOf('/') + 1);

const ownPlaceOf = ({ files, closed }: ClosedDeps, path: string): string | undefined => {
  const own = closed
    .flatMap((place) => [place, files.realpath(place) ?? place])
    .filter((place) => !isWorkTree(place, path));
  return [...own, ...OF_SYSTEM].find((place) => isWithin(place, path));
};

/** The outermost folder on the way to a path that configures git or Codex by its name. @param path absolute, without links */
export const namedPlaceOf = (path: string): string | undefined =>
  foldersUp(path).findLast((folder) => {
    const name = nameOf(folder);
    return isProtectedName(name) && !(name === '.codex' && isWorkTree(folder, path));
  });

/** Codex makes work trees of projects in its home, which obeys nothing in them. Source: the app of Codex, 2026. */
const isWorkTree = (codexHome: string, path: string): boolean => path.startsWith(inFolder(codexHome, 'worktrees/'));

/** A bare repository, or the separate git directory of another: git looks for a `.git` first, on each level. Source: git 2.39, setup.c. */
const gitDirectoryOf = (files: ClosedDeps['files'], upward: readonly string[]): string | undefined => {
  const hasOwn = (folder: string): boolean => files.kindOf(inFolder(folder, '.git')) !== undefined;
  const found = upward.find((folder) => hasOwn(folder) || isRepository(files, folder));
  return found !== undefined && !hasOwn(found) ? found : undefined;
};

type Kinds = Pick<SandboxFiles, 'kindOf'>;

const isRepository = ({ kindOf }: Kinds, folder: string): boolean =>
  kindOf(inFolder(folder, 'HEAD')) !== undefined &&
  kindOf(inFolder(folder, 'objects')) === 'folder' &&
  kindOf(inFolder(folder, 'refs')) === 'folder';

/** True for the git directory of a repository, a submodule or a linked work tree. */
export const isGitDirectory = (files: Kinds, folder: string): boolean =>
  isRepository(files, folder) ||
  (files.kindOf(inFolder(folder, 'HEAD')) !== undefined && files.kindOf(inFolder(folder, 'commondir')) === 'file');

/** Throws SandboxError if the folder of a session or a server can never be written. */
export const refuseClosed = (deps: ClosedDeps, folder: string): void => {
  const place = closedPlaceOf(deps, deps.files.realpath(folder) ?? folder);
  if (place === undefined) return;
  throw new SandboxError(
    `${folder} ${whyClosed(deps, place, folder)}; name the folder of a project, or the sandbox read-only`,
  );
};

/** Such as: lies in /w/.git, which no command may write: git or Codex obeys it. */
export const whyClosed = ({ files, closed }: ClosedDeps, place: string, folder: string): string => {
  const own = closed.some((one) => one === place || files.realpath(one) === place)
    ? 'it is the Codex home, or belongs to codex-rx'
    : 'git or Codex obeys it';
  const what = OF_SYSTEM.includes(place) ? 'it belongs to the system' : own;
  return `${place === folder ? 'is a place that' : `lies in ${place}, which`} no command may write: ${what}`;
};
