/** Says which folders of PATH a program may be taken from without asking. */
import { isWithin } from '../../text';

/**
 * @param realpath follows links; undefined where there is nothing
 * @param platform as Node names it
 */
export type TrustDeps = { realpath: (path: string) => string | undefined; platform: string };

const BIN = 'node_modules/.bin';

/**
 * The folders of a PATH, in its order, but for those that belong to the workspace: relative and empty ones, which mean the
 * current folder; folders in `workspace`, by name or where they lead; `node_modules/.bin` of the folders above it,
 * which npx puts first. A checkout could have its own `git` there.
 * @param workspace absolute folders, links resolved
 */
export const trustedFolders = (
  { realpath, platform }: TrustDeps,
  path: string | undefined,
  workspace: readonly string[],
): string[] => {
  const [delimiter, isAbsolute] = platform === 'win32' ? [';', /^(?:[a-z]:[\\/]|[\\/]{2})/i] : [':', /^\//];
  const isOurs = (folder: string): boolean => {
    const places = [folder, realpath(folder) ?? folder].map((place) => plain(place, platform));
    return workspace.some((root) => places.some((place) => belongs(place, plain(root, platform))));
  };
  return (path ?? '').split(delimiter).filter((folder) => isAbsolute.test(folder) && !isOurs(folder));
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
