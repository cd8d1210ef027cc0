/** Errors of the operating system, with the texts that Codex gives them. Own code: the words are those of the original; the words of Node differ. */

/** Source: codex exec-server 0.142.0; Codex 0.28.0, cases `apply_patch`. */
export const SYSTEM_TEXTS: Readonly<Record<string, string>> = {
  EACCES: 'Permission denied',
  EBADF: 'Bad file descriptor',
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
  ENOTEMPTY: 'Directory not empty',
  EPERM: 'Operation not permitted',
  EROFS: 'Read-only file system',
  ETXTBSY: 'Text file busy',
};

/** The error text and number of the system, as Rust programs print them. Source: Codex 0.28.0, cases `apply_patch`. */
export const systemText = (error: unknown): string => {
  const { code, errno, message } = factsOf(error);
  const words = SYSTEM_TEXTS[code ?? ''];
  return words !== undefined && errno !== undefined
    ? `${words} (os error ${Math.abs(errno)})`
    : (message ?? String(error));
};

/** True for an error with one of these codes. */
export const isSystemError = (error: unknown, ...codes: string[]): boolean => codes.includes(factsOf(error).code ?? '');

/** The rejection may be an error of another realm, so its fields are checked instead of its class. */
const factsOf = (error: unknown): Partial<NodeJS.ErrnoException> => Object(error);

const TEXT = /^(?<words>[^(;]+) \(os error (?<errno>\d+)\)/;

/** Turns the text of another machine's system error into the error that this machine would have thrown; undefined for any other text. */
export const toSystemError = (text: string): NodeJS.ErrnoException | undefined => {
  const { words, errno } = TEXT.exec(text)?.groups ?? {};
  const code = Object.keys(SYSTEM_TEXTS).find((name) => SYSTEM_TEXTS[name] === words);
  return code === undefined ? undefined : Object.assign(new Error(text), { code, errno: -Number(errno) });
};
