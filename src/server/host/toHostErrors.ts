/** The errors of this machine, as the Codex methods know them. */
import { catchError, type MonoTypeOperatorFunction, throwError } from 'rxjs';
import { FileError } from '../../io/files/fileError';
import { HostError } from '../../protocol/methods/host';
import { AuthError } from '../../settings/auth/authError';
import { ThreadError } from '../../threads/threadError';

/**
 * A login, a file or a thread that cannot be used becomes a HostError with the same message; any other error is a bug and stays what it is.
 *   in   a-#     (FileError)
 *   out  a-#     (HostError)
 */
export const toHostErrors = <T>(): MonoTypeOperatorFunction<T> =>
  catchError((error: Error) => throwError(() => (isOfHost(error) ? new HostError(error.message) : error)));

const isOfHost = (error: Error): boolean =>
  error instanceof AuthError || error instanceof FileError || error instanceof ThreadError;
