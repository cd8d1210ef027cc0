/** The errors of file methods. */
import { catchError, type MonoTypeOperatorFunction, type Observable, throwError } from 'rxjs';
import { INTERNAL_ERROR, INVALID_REQUEST, RpcError } from '../../../protocol/jsonrpc';

/** The code of a file or a handle that does not exist. */
const NOT_FOUND = -32004;

export const invalid = (message: string): Observable<never> => throwError(() => new RpcError(INVALID_REQUEST, message));
export const notFound = (message: string): Observable<never> => throwError(() => new RpcError(NOT_FOUND, message));

/** Errors of the operating system become the original's responses. */
export const withSystemErrors = <T>(): MonoTypeOperatorFunction<T> =>
  catchError((error) => throwError(() => (error instanceof RpcError ? error : toRpcError(error))));

const MESSAGES: Record<string, string> = {
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

const toRpcError = ({ code = '', errno, message }: NodeJS.ErrnoException): RpcError => {
  const known = MESSAGES[code];
  const text = known !== undefined && errno !== undefined ? `${known} (os error ${-errno})` : message;
  return new RpcError(code === 'ENOENT' ? NOT_FOUND : INTERNAL_ERROR, text);
};
