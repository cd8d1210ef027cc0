/** Errors of the operating system, with the texts that Codex gives them. */

/** Source: codex exec-server 0.142.0. */
export const SYSTEM_TEXTS: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  EPERM: 'Operation not permitted',
  EBADF: 'Bad file descriptor',
  ENOTDIR: 'Not a directory',
  EISDIR: 'Is a directory',
  EEXIST: 'File exists',
  ENOTEMPTY: 'Directory not empty',
  ELOOP: 'Too many levels of symbolic links',
  EROFS: 'Read-only file system',
  ENOSPC: 'No space left on device',
  ENAMETOOLONG: 'File name too long',
};

const TEXT = /^(?<words>[^(;]+) \(os error (?<errno>\d+)\)/;

/** Turns the text of another machine's system error into the error that this machine would have thrown; undefined for any other text. */
export const toSystemError = (text: string): NodeJS.ErrnoException | undefined => {
  const { words, errno } = TEXT.exec(text)?.groups ?? {};
  const code = Object.keys(SYSTEM_TEXTS).find((name) => SYSTEM_TEXTS[name] === words);
  return code === undefined ? undefined : Object.assign(new Error(text), { code, errno: -Number(errno) });
};
