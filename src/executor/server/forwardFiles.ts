/** File methods that an exec-server in the sandbox carries out, so that the system enforces the ceiling. */
import { catchError, filter, map, merge, type Observable, Subject, takeUntil, tap, throwError } from 'rxjs';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { INTERNAL_ERROR, RpcError } from '../../protocol/jsonrpc/messages';
import { toResult } from '../../protocol/rpc/answerOnce';
import { reasonOf } from '../../streams/text/reasons';
import type { Method, Output } from './method';

/** The server in the sandbox. */
export type ForwardFilesDeps = {
  /** Sends to the server in the sandbox. */
  request: (method: string, params: JsonObject) => Observable<unknown>;
  /** Keeps that server while it is subscribed; emits nothing. */
  alive$: Observable<never>;
  /** What clients may write, and which flag decides it; added to the error for a file that they may not write. */
  hint: string;
};

/** The methods of one session by their names. An open file keeps the server in the sandbox alive until it is closed. */
export const forwardFiles = (deps: ForwardFilesDeps, names: readonly string[]): Record<string, Method> => {
  const closed$ = new Subject<unknown>(); // the wire from fs/close to the life of its handle
  const methods = Object.fromEntries(names.map((name) => [name, forward(deps, name)]));
  const { 'fs/open': open, 'fs/close': close } = methods;
  return {
    ...methods,
    ...(open && {
      'fs/open': (params) => merge(open(params), deps.alive$).pipe(takeUntil(closed$.pipe(only(params)))),
    }),
    ...(close && { 'fs/close': (params) => close(params).pipe(tap(() => closed$.next(handleOf(params)))) }),
  };
};

const handleOf = (params: unknown): unknown => (isObject(params) ? params.handleId : undefined);

const only = (params: unknown) => (handle$: Observable<unknown>) =>
  handle$.pipe(filter((handle) => handle === handleOf(params)));

/** A method of files that the server in the sandbox carries out. */
export const forward =
  ({ request, hint }: ForwardFilesDeps, name: string): Method =>
  (params) =>
    request(name, isObject(params) ? params : {}).pipe(
      map((result): Output => toResult(withHint(result, hint))),
      catchError((error) => throwError(() => explained(error, hint))),
    );

/** The error of the system for a file outside the roots, with or without the name of the file before it. */
const OUTSIDE = /(?:^|: )Read-only file system/;

/** A patch that failed is a result, with its reason. */
const withHint = (result: unknown, hint: string): unknown =>
  isObject(result) && result.kind === 'failed' && typeof result.message === 'string' && OUTSIDE.test(result.message)
    ? { ...result, message: `${result.message}; ${hint}` }
    : result;

/** If the server in the sandbox could not be started, or was lost, that is no bug of this one. */
const explained = (error: unknown, hint: string): unknown => {
  if (!(error instanceof RpcError)) return new RpcError(INTERNAL_ERROR, reasonOf(error));
  return OUTSIDE.test(error.message) ? new RpcError(error.code, `${error.message}; ${hint}`) : error;
};
