/** The folders of PATH from which a program may be run without asking, and the programs in them. */
import { dirname, extname } from 'node:path';
import { isWithin } from '../../streams/text/trim';
import { foldersUp } from '../paths/relations';

/** What deciding about folders needs. */
export type TrustDeps = {
  /** Follows links; undefined if there is nothing. */
  realpath: (path: string) => string | undefined;
  /** Whether what is at a path without links, and each folder on the way, belongs to root and cannot be changed by this user. */
  belongsToSystem: (path: string) => boolean;
  /** Whether a folder is the top of a repository. */
  isRepository: (folder: string) => boolean;
  /** The home that the system has for the user, without links; undefined if there is none. */
  home: string | undefined;
  /** As Node names it. */
  platform: string;
};

/** Where systems have their own programs. */
const OF_SYSTEM = new Set([
  ...['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin'],
  '/run/current-system/sw/bin',
]);

/**
 * The folders of a PATH, in its order, except for the folders of the workspace: relative and empty ones, which mean the current folder, and folders in
 * `workspace` or in the project around it, by name or where they lead. A checkout could have its own `git` there. A workspace such as `/` or `/usr` does not
 * own the folders of the system in it, as far as this user cannot write there.
 * @param workspace absolute folders
 */
export const trustedFolders = (deps: TrustDeps, path: string | undefined, workspace: readonly string[]): string[] => {
  const isOurs = belongsTo(deps, workspace);
  return pathFolders(deps, path).filter((folder) => isAbsolute(deps, folder) && !isOurs(folder));
};

/** The folders of a PATH, in its order; an empty one means the current folder. Windows takes them in quotes too. */
export const pathFolders = ({ platform }: Pick<TrustDeps, 'platform'>, path: string | undefined): string[] =>
  platform === 'win32' ? (path ?? '').replaceAll('"', '').split(';') : (path ?? '').split(':');

/** What can be started there, in the order of the default PATHEXT. */
const WINDOWS_ENDINGS = ['.com', '.exe', '.bat', '.cmd'];

/** The names that the file of a program may have: on Windows one for each ending, unless it has one. */
export const fileNamesOf = (platform: string | undefined, name: string): string[] =>
  platform !== 'win32' || WINDOWS_ENDINGS.includes(extname(name).toLowerCase())
    ? [name]
    : WINDOWS_ENDINGS.map((ending) => name + ending);

const isAbsolute = ({ platform }: Pick<TrustDeps, 'platform'>, folder: string): boolean =>
  (platform === 'win32' ? /^(?:[a-z]:[\\/]|[\\/]{2})/i : /^\//).test(folder);

const belongsTo = (deps: TrustDeps, workspace: readonly string[]) => {
  const { realpath, belongsToSystem, platform } = deps;
  const isOurs = isOfProject(deps, workspace);
  return (folder: string): boolean => {
    const real = realpath(folder);
    const isSystems = OF_SYSTEM.has(plain(folder, platform)) && real !== undefined && belongsToSystem(real);
    return !isSystems && [folder, real ?? folder].some(isOurs);
  };
};

/** True for a program that the workspace may have put where it is, whichever folder of PATH names it: a link may lead into the workspace. */
const isOfWorkspace = (deps: TrustDeps, program: string, workspace: readonly string[]): boolean => {
  const real = deps.realpath(program) ?? program;
  return isOfProject(deps, workspace)(real) && !deps.belongsToSystem(real);
};

/**
 * True for a path in the workspace, in the outermost repository that holds it, or in a folder that begins with a dot, or is called `node_modules`, of any
 * folder above it: `/repo/.venv/bin` for `/repo/packages/a`. The home of the user and what holds it are no projects.
 */
const isOfProject = (deps: TrustDeps, workspace: readonly string[]) => {
  const { realpath, isRepository, platform } = deps;
  const isHome = (folder: string) => deps.home !== undefined && isWithin(folder, plain(deps.home, platform));
  const roots = [...new Set(workspace.flatMap((root) => [root, realpath(root) ?? root]))];
  const projects = roots.flatMap((root) => {
    const above = foldersUp(dirname(root)).slice(0, -1); // the root of the file system is no project
    const repository = above.findLast((folder) => !isHome(plain(folder, platform)) && isRepository(folder));
    return (repository === undefined ? [root] : [root, repository]).map((folder) => plain(folder, platform));
  });
  return (path: string): boolean => {
    const place = plain(path, platform);
    const names = place.split('/');
    const isHidden = (name: string, at: number): boolean => {
      const parent = names.slice(0, at).join('/') || '/';
      if (at === 0 || !projects.some((root) => isWithin(parent, root))) return false;
      return name === 'node_modules' || (name.startsWith('.') && parent !== '/' && !isHome(parent));
    };
    return projects.some((root) => isWithin(root, place)) || names.some(isHidden);
  };
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

type FindProgramDeps = {
  /** True for a path of a file that this user may run. */
  isProgram: (path: string) => boolean;
  /** As Node names it; default: one without endings of programs. */
  platform?: string;
};

/** The first file of that name in the folders, undefined if there is none. `folders` are absolute: see trustedFolders. */
export const findProgram = (
  { isProgram, platform }: FindProgramDeps,
  name: string,
  folders: readonly string[],
): string | undefined =>
  folders
    .flatMap((folder) => fileNamesOf(platform, name).map((one) => `${folder.replace(/\/+$/, '')}/${one}`))
    .find(isProgram);

type WorkspaceProgramDeps = TrustDeps & {
  /** Whether a path names a file that this user may run. */
  isProgram: (path: string) => boolean;
};

/**
 * The first of these names that a PATH finds in the workspace only, or by a link that leads there; undefined if there is none. What PATH does not find at all
 * belongs to nobody: running it fails, and says so. But if nothing of PATH is left without the workspace, that is the first name: an empty PATH means the
 * current folder. A name with a slash is a path, which no PATH finds.
 * @param workspace absolute folders; the last is where relative folders of PATH begin
 */
export const workspaceProgram =
  (deps: WorkspaceProgramDeps) =>
  (names: readonly string[], path: string | undefined, workspace: readonly string[]): string | undefined => {
    const trusted = trustedFolders(deps, path, workspace);
    const all = pathFolders(deps, path).map((folder) =>
      isAbsolute(deps, folder) ? folder : `${workspace.at(-1)}/${folder}`,
    );
    return names.find((name) => {
      if (path === undefined || name.includes('/') || (deps.platform === 'win32' && name.includes('\\'))) return false;
      if (trusted.length === 0) return true;
      const found = findProgram(deps, name, trusted);
      return found === undefined ? findProgram(deps, name, all) !== undefined : isOfWorkspace(deps, found, workspace);
    });
  };
