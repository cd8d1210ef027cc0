/** Whether something on the disk is the system's, and out of reach of this user. */
import { dirname, join } from 'node:path';
import { isThere, isWritable, linkFactsAt } from '../../io/paths/look';
import { foldersUp } from '../../io/paths/relations';
import { findStep, type Step } from '../../io/paths/steps';
import type { TrustDeps } from '../../io/processes/trustedFolders';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import { sandboxFiles } from './sandboxFilesHere';

const ROOT = 0;

/**
 * True for a path without links at which, as in each folder on the way, everything belongs to root and nothing can be written by this user. So nothing is
 * for root itself, but on a disk that is read-only: what root may write, a command of root may have put there.
 */
export const belongsToSystem = (path: string): boolean => {
  if (!path.startsWith('/')) return false; // systems without such paths have no root
  return foldersUp(path).every((at) => linkFactsAt(at)?.uid === ROOT && !isWritable(at)); // a program that cannot be examined may not belong to the system
};

/** True if all links on the way to a path, if there are any, are the system's; false if the way cannot be examined. */
export const hasSystemLinks = (path: string): boolean => {
  try {
    return findStep(path, isOwnLink) === undefined;
  } catch {
    return false;
  }
};

const isOwnLink = ({ path, facts }: Step): boolean => facts.isSymbolicLink() && !belongsToSystem(dirname(path));

/** What the systems of version control have at the top of a repository; an empty `.git` may be the placeholder of a sandbox. */
const REPOSITORY = ['.git/HEAD', '.hg', '.jj', '.svn'];

const isRepository = (folder: string): boolean =>
  REPOSITORY.some((name) => isThere(join(folder, name))) || linkFactsAt(join(folder, '.git'))?.isFile() === true;

/** How programs of the system are distinguished from programs of a workspace. HOME does not count: a project's environment may have set it. */
export const trustDeps = ({
  platform,
  home,
  systemHome = home,
}: Pick<ProcessInfo, 'platform' | 'home' | 'systemHome'>): TrustDeps => ({
  realpath: sandboxFiles.realpath,
  belongsToSystem,
  isRepository,
  home: systemHome && (sandboxFiles.realpath(systemHome) ?? systemHome),
  platform,
});
