/** Finds programs that only the workspace has: what runs unasked must not be one of them. */
import { findProgram } from './findProgram';
import { foldersOf, isOfWorkspace, type TrustDeps, trustedFolders } from './trustedFolders';

/** @param isProgram whether a path names a file that this user may run */
export type WorkspaceProgramDeps = TrustDeps & { isProgram: (path: string) => boolean };

/**
 * The first of these names that a PATH finds in the workspace only, or by a link that leads there; undefined if there is none. What PATH does not find at all
 * belongs to nobody: running it fails, and says so. But if nothing of PATH is left without the workspace, that is the first name: an empty PATH means the
 * current folder. A name with a slash is a path, which no PATH finds.
 * @param workspace absolute folders, links resolved; the last is where relative folders of PATH begin
 */
export const workspaceProgram =
  (deps: WorkspaceProgramDeps) =>
  (names: readonly string[], path: string | undefined, workspace: readonly string[]): string | undefined => {
    const trusted = trustedFolders(deps, path, workspace);
    const all = foldersOf(deps, path).map((folder) =>
      folder.startsWith('/') ? folder : `${workspace.at(-1)}/${folder}`,
    );
    return names.find((name) => {
      if (path === undefined || name.includes('/')) return false;
      if (trusted.length === 0) return true;
      const found = findProgram(deps, name, trusted);
      return found === undefined ? findProgram(deps, name, all) !== undefined : isOfWorkspace(deps, found, workspace);
    });
  };
