/** The folders of PATH from which a program may be run without asking, and the programs in them. */
import { isWithin } from '../../streams/text/trim';

/** What deciding about folders needs. */
export type TrustDeps = {
  /** Follows links; undefined if there is nothing. */
  realpath: (path: string) => string | undefined;
  /** Whether what is at a path without links, and each folder on the way, belongs to root and cannot be changed by this user. */
  isSealed: (path: string) => boolean;

  /** As Node names it. */
  platform: string;
};

const BIN = 'node_modules/.bin';

/** Where systems have their own programs. */
const OF_SYSTEM = new Set([
  ...['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin'],
  '/run/current-system/sw/bin',
]);

/**
 * The folders of a PATH, in its order, except for the folders of the workspace: relative and empty ones, which mean the
 * current folder; folders in `workspace`, by name or where they lead; `node_modules/.bin` of the folders above it,
 * which npx puts first. A checkout could have its own `git` there. A workspace such as `/` or `/usr` does not own the folders of the system in it, as far as
 * this user cannot write there.
 * @param workspace absolute folders, links resolved
 */
export const trustedFolders = (deps: TrustDeps, path: string | undefined, workspace: readonly string[]): string[] => {
  const isOurs = belongsTo(deps, workspace);
  return foldersOf(deps, path).filter((folder) => isAbsolute(deps, folder) && !isOurs(folder));
};

/** The folders of a PATH, in its order; an empty one means the current folder. */
export const foldersOf = ({ platform }: Pick<TrustDeps, 'platform'>, path: string | undefined): string[] =>
  (path ?? '').split(platform === 'win32' ? ';' : ':');

const isAbsolute = ({ platform }: Pick<TrustDeps, 'platform'>, folder: string): boolean =>
  (platform === 'win32' ? /^(?:[a-z]:[\\/]|[\\/]{2})/i : /^\//).test(folder);

const belongsTo =
  ({ realpath, isSealed, platform }: TrustDeps, workspace: readonly string[]) =>
  (folder: string): boolean => {
    const real = realpath(folder);
    const places = [folder, real ?? folder].map((place) => plain(place, platform));
    const isIn = workspace.some((root) => places.some((place) => belongs(place, plain(root, platform))));
    return isIn && !(OF_SYSTEM.has(plain(folder, platform)) && real !== undefined && isSealed(real));
  };

/** True for a program that the workspace may have put where it is, whichever folder of PATH names it: a link may lead into the workspace. */
export const isOfWorkspace = (deps: TrustDeps, program: string, workspace: readonly string[]): boolean => {
  const { realpath, isSealed, platform } = deps;
  const real = realpath(program) ?? program;
  const isIn = workspace.some((root) => isWithin(plain(root, platform), plain(real, platform)));
  return isIn && !isSealed(real);
};

/** Slashes one way and single, no dots, none at the end; on Windows in small letters. */
const plain = (path: string, platform: string): string => {
  const names = (platform === 'win32' ? path.toLowerCase().replaceAll('\\', '/') : path).split('/');
  const way: string[] = [];
  for (const name of names) {
    if (name === '..') way.pop();
    else if (name !== '' && name !== '.') way.push(name);
  }
  return `/${way.join('/')}`;
};

const belongs = (place: string, root: string): boolean =>
  isWithin(root, place) || (place.endsWith(`/${BIN}`) && isWithin(place.slice(0, -BIN.length - 1) || '/', root));

type FindProgramDeps = {
  /** True for a path of a file that this user may run. */
  isProgram: (path: string) => boolean;
};

/** The first file of that name in the folders, undefined if there is none. `folders` are absolute: see trustedFolders. */
export const findProgram = (
  { isProgram }: FindProgramDeps,
  name: string,
  folders: readonly string[],
): string | undefined => folders.map((folder) => `${folder.replace(/\/+$/, '')}/${name}`).find(isProgram);

type WorkspaceProgramDeps = TrustDeps & {
  /** Whether a path names a file that this user may run. */
  isProgram: (path: string) => boolean;
};

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
