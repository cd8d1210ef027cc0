/** Tells a program that is nowhere from one that this user may not run. */
import { isThere } from '../paths/look';

/** Where a program is looked for if its environment has no PATH. */
const DEFAULT_PATH = '/usr/local/bin:/bin:/usr/bin';

/** `path`: PATH of the environment the program is started in; `cwd`: the folder it is started in, for relative places. */
export type Search = { program: string; path?: string; cwd: string };

/** The files that a program's name may mean, in the order in which the system tries them. */
export const candidatesOf = ({ program, path = DEFAULT_PATH, cwd }: Search): string[] =>
  (program.includes('/') ? [program] : path.split(':').map((folder) => `${folder || '.'}/${program}`)).map((place) =>
    place.startsWith('/') ? place : `${cwd}/${place}`,
  );

/**
 * The error of a start. If a folder of PATH is closed to this user, the system reports EACCES for a program that no folder has; that
 * becomes ENOENT, as in a shell. Every other error stays what it is.
 */
export const startFault = (error: NodeJS.ErrnoException, search: Search): NodeJS.ErrnoException => {
  const isNowhere = error.code === 'EACCES' && !search.program.includes('/') && !candidatesOf(search).some(isThere);
  return isNowhere ? Object.assign(new Error(error.message), { code: 'ENOENT', path: search.program }) : error;
};
