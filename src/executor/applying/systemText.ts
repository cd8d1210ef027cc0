/** The text of an error of the operating system. Own code: the words are the same as in the original; those of Node differ. */

const TEXTS: Readonly<Record<string, string>> = {
  EACCES: 'Permission denied',
  EBUSY: 'Device or resource busy',
  EDQUOT: 'Disk quota exceeded',
  EEXIST: 'File exists',
  EFBIG: 'File too large',
  EIO: 'Input/output error',
  EISDIR: 'Is a directory',
  ELOOP: 'Too many levels of symbolic links',
  EMFILE: 'Too many open files',
  ENAMETOOLONG: 'File name too long',
  ENOENT: 'No such file or directory',
  ENOSPC: 'No space left on device',
  ENOTDIR: 'Not a directory',
  EPERM: 'Operation not permitted',
  EROFS: 'Read-only file system',
  ETXTBSY: 'Text file busy',
};

/** The error text and number of the system, as Rust programs print them. Source: Codex 0.28.0, cases `apply_patch`. */
export const systemText = (error: unknown): string => {
  const { code, errno, message } = factsOf(error);
  const words = TEXTS[code ?? ''];
  return words !== undefined && errno !== undefined
    ? `${words} (os error ${Math.abs(errno)})`
    : (message ?? String(error));
};

/** True for an error with one of these codes. */
export const isSystemError = (error: unknown, ...codes: string[]): boolean => codes.includes(factsOf(error).code ?? '');

/** The rejection may be an error of another realm, so its fields are checked instead of its class. */
const factsOf = (error: unknown): Partial<NodeJS.ErrnoException> => Object(error);
