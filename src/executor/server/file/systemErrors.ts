/** Owns what a client is told when the file system, or we, say no. */
import { catchError, type MonoTypeOperatorFunction, type Observable, throwError } from 'rxjs';
import { INTERNAL_ERROR, INVALID_REQUEST, RpcError } from '../../../protocol/jsonrpc';

/** The code of what is not there: a file, a handle. */
const NOT_FOUND = -32004;

export const refuse = (message: string): Observable<never> => throwError(() => new RpcError(INVALID_REQUEST, message));
export const unknown = (message: string): Observable<never> => throwError(() => new RpcError(NOT_FOUND, message));

/** Errors of the operating system become the original's answers. */
export const withSystemWords = <T>(): MonoTypeOperatorFunction<T> =>
  catchError((error) => throwError(() => (error instanceof RpcError ? error : toRpcError(error))));

const WORDS: Record<string, string> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  EPERM: 'Operation not permitted',
  EBADF: 'Bad file descriptor',
  ENOTDIR: 'Not a directory',
  EISDIR: 'Is a directory',
  EEXIST: 'File exists',
  ENOTEMPTY: 'Directory not empty',
  ELOOP: 'Too many levels of symbolic links',
  ENOSPC: 'No space left on device',
  ENAMETOOLONG: 'File name too long',
};

const toRpcError = ({ code = '', errno, message }: NodeJS.ErrnoException): RpcError => {
  const words = WORDS[code];
  const said = words !== undefined && errno !== undefined ? `${words} (os error ${-errno})` : message;
  return new RpcError(code === 'ENOENT' ? NOT_FOUND : INTERNAL_ERROR, said);
};
