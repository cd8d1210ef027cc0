/** Finds the home folder of the user, and that of Codex in it. */
import { isAbsolute, join, resolve } from 'node:path';

/**
 * @param env the variables of the process
 * @param platform as Node names it
 * @param fromSystem the home that the system has for the user; may throw if it has none
 */
export type HomeDeps = {
  env: Readonly<Record<string, string | undefined>>;
  platform: string;
  fromSystem: () => string;
};

/**
 * The home folder by HOME, else as the system knows it; undefined if the user has none. An empty HOME counts as unset, and so does one that is
 * relative: it would make the folder of a checkout the home, and let the checkout name programs to start.
 */
export const homeOf = ({ env, platform, fromSystem }: HomeDeps): string | undefined => {
  const named = [env.HOME, platform === 'win32' ? env.USERPROFILE : undefined].find(isHome);
  if (named !== undefined) return named;
  try {
    return [fromSystem()].find(isHome);
  } catch {
    return undefined; // the user is not in passwd
  }
};

const isHome = (path: string | undefined): path is string => path !== undefined && isAbsolute(path);

/** The folder with the configuration and the threads of Codex: CODEX_HOME, unless it is empty, else `.codex` in the home. Undefined if there is neither. */
export const codexHomeOf = (
  { CODEX_HOME }: HomeDeps['env'],
  { home, folder }: { home: string | undefined; folder: string },
): string | undefined => {
  if (CODEX_HOME) return resolve(folder, CODEX_HOME);
  return home === undefined ? undefined : join(home, '.codex');
};
