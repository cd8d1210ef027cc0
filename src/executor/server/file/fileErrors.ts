/** The errors of file methods. */
import { catchError, type MonoTypeOperatorFunction, type Observable, throwError } from 'rxjs';
import { INTERNAL_ERROR, INVALID_REQUEST, RpcError } from '../../../protocol/jsonrpc/messages';
import { SYSTEM_TEXTS } from '../../systemErrors';

/** The code of a file or a handle that does not exist. */
const NOT_FOUND = -32004;

/** Errors with the code of a request that makes no sense. */
export const invalid = (message: string): Observable<never> => throwError(() => new RpcError(INVALID_REQUEST, message));
/** Errors with the code of what is not there. */
export const notFound = (message: string): Observable<never> => throwError(() => new RpcError(NOT_FOUND, message));

/** Errors of the operating system become the responses that Codex gives for them. */
export const withSystemErrors = <T>(): MonoTypeOperatorFunction<T> =>
  catchError((error) => throwError(() => (error instanceof RpcError ? error : toRpcError(error))));

const toRpcError = ({ code = '', errno, message }: NodeJS.ErrnoException): RpcError => {
  const known = SYSTEM_TEXTS[code];
  const text = known !== undefined && errno !== undefined ? `${known} (os error ${-errno})` : message;
  return new RpcError(code === 'ENOENT' ? NOT_FOUND : INTERNAL_ERROR, text);
};
