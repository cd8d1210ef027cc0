/** Files with a secret that other users of this machine can open. */

const OTHERS = 0o077;
const ALL = 0o777;

/** Why a file of this mode is not to be used, with the remedy; undefined where only its user can open it, or the system has no modes. */
export const permissionFault = (path: string, mode: number, platform: string): string | undefined =>
  (mode & OTHERS) === 0 || platform === 'win32'
    ? undefined
    : `${path} is open to others (mode ${(mode & ALL).toString(8)}); close it: chmod 600 ${path}`;
