/** Why a file cannot be used, for a text that names the file itself. */
import { reasonOf } from './reasonOf';

/** The system's reason without its call and the path: `ENOENT: no such file or directory`. Any other reason unchanged. */
export const fileReasonOf = (error: unknown): string =>
  isSystemError(error) ? error.message.replace(/, \w+(?: '.*')?$/s, '') : reasonOf(error);

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  typeof error === 'object' && error !== null && 'syscall' in error && 'message' in error;
