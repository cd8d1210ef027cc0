/** Owns the words for why a program could not be started. */
import { accessSync, constants } from 'node:fs';

const WORDS: Record<string, string> = {
  ENOENT: 'No such file or directory (os error 2)',
  EACCES: 'Permission denied (os error 13)',
  ENOTDIR: 'Not a directory (os error 20)',
};

/** The operating system's words for why a program cannot be started; spawn blames the program for its folder too. */
export const failureReason = ({ code = '', path, message }: NodeJS.ErrnoException, cwd: string): string => {
  const words = WORDS[code];
  if (words === undefined) return message;
  const trouble = folderTrouble(cwd);
  return trouble === undefined ? `${path ?? 'program'}: ${words}` : `working directory ${cwd}: ${trouble}`;
};

const folderTrouble = (path: string): string | undefined => {
  try {
    accessSync(`${path}/.`, constants.X_OK);
    return undefined;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    return WORDS[code] ?? message;
  }
};
