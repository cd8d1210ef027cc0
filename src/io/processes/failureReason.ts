/** The text for a program that could not be started. */

import { systemRemedy } from '../../streams/text/reasons';
import { cannotEnter } from '../paths/look';

const TEXTS: Record<string, string> = {
  ENOENT: 'No such file or directory (os error 2)',
  EACCES: 'Permission denied (os error 13)',
  ENOTDIR: 'Not a directory (os error 20)',
};

/** The codes of errors where the machine has run out of something. */
const SCARCE = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** The operating system's text for a program that cannot be started. `spawn` reports a missing folder as a missing program. */
export const failureReason = ({ code = '', path, message }: NodeJS.ErrnoException, cwd: string): string => {
  const text = TEXTS[code];
  const remedy = SCARCE.has(code) ? systemRemedy(code) : undefined;
  if (text === undefined) return remedy === undefined ? message : `${message}: ${remedy}`;
  const folderText = folderFailure(cwd);
  return folderText === undefined ? `${path ?? 'program'}: ${text}` : `working directory ${cwd}: ${folderText}`;
};

const folderFailure = (path: string): string | undefined => {
  const error = cannotEnter(`${path}/.`);
  return error && (TEXTS[error.code ?? ''] ?? error.message);
};
