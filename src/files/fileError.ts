/** The error of a file that cannot be used. */

/** A file cannot be read or written; the message names it, the cause and the remedy. `code` is that of the system, such as ENOSPC. */
export class FileError extends Error {
  override name = 'FileError';
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: free some space',
  EDQUOT: 'the quota of this user is used up: free some space',
  EROFS: 'the file system is read-only: set CODEX_HOME to a folder that can be written',
  EACCES: 'this user may not: check the owner and the mode, or set CODEX_HOME to a folder of your own',
  EPERM: 'this user may not: check the owner and the mode, or set CODEX_HOME to a folder of your own',
  ELOOP: 'it is a link, and links are not followed: put the file itself there',
  EMFILE: 'this process has too many open files: raise the limit (ulimit -n)',
};

/** The error of the system as a FileError. @param what such as `cannot be written` */
export const toFileError = (path: string, what: string, error: unknown): FileError => {
  if (error instanceof FileError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const remedy = code === undefined ? undefined : REMEDIES[code];
  return new FileError(`${path} ${what}: ${remedy ?? message}`, code);
};

/** True where a call of the file system failed with one of these codes. */
export const failedWith = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException).code ?? '');
