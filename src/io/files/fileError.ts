/** The error of a file that cannot be used, with the remedy. */
import { systemRemedy } from '../../streams/text/reasons';

/** A file cannot be read or written; the message names it, the cause and the remedy. `code` is the system's, such as ENOSPC. */
export class FileError extends Error {
  override name = 'FileError';
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

/** The error of the system as a FileError. @param what such as `cannot be written` */
export const toFileError = (path: string, what: string, error: unknown): FileError => {
  if (error instanceof FileError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new FileError(`${path} ${what}: ${systemRemedy(code) ?? message}`, code);
};

/** True if a call of the file system failed with one of these codes. */
export const failedWith = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException).code ?? '');

/** Files with a secret that other users of this machine can open. */
const OTHERS = 0o077;
const ALL = 0o777;

/** Why a file of this mode is not to be used, with the remedy; undefined if only its user can open it, or the system has no modes. */
export const permissionFault = (path: string, mode: number, platform: string): string | undefined =>
  (mode & OTHERS) === 0 || platform === 'win32'
    ? undefined
    : `${path} is open to others (mode ${(mode & ALL).toString(8)}); close it: chmod 600 ${path}`;
