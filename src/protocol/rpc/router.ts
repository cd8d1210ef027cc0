/** The router of a server: a table of methods gives one response per request. */
import {
  defer,
  filter,
  map,
  mergeMap,
  NEVER,
  type Observable,
  type OperatorFunction,
  takeUntil,
  throwError,
} from 'rxjs';
import type { RpcError } from '../jsonrpc/messages';
import type { Log } from '../log';
import { answerOnce, type Failure, type Result } from './answerOnce';
import { failureOutcome, reportBug, unknownMethod } from './failureOutcome';
import type { Outcome, RpcRequest } from './messages';

/** `request => stream` of what a method sends: its result once, and other messages around it. May throw RpcError before. Unsubscribing cancels. */
export type Method<R, E = never> = (request: R) => Observable<Result | E>;

/** What a router needs. */
type RouterDeps<R, E> = {
  /** The method of this name, if there is one; see `methodTable`. */
  methodOf: (name: string) => Method<R, E> | undefined;
  log: Log;
  /** The error of a name without a method. Default: -32601 with the name. */
  unknownMethod?: (name: string) => RpcError;
  /** The text of a bug for the client. Default: `Internal error` for all. */
  textOf?: (bug: unknown) => string;
};

/** The response to a request; the response to a member of a batch belongs to the batch. */
type Answer = { kind: 'response' } & Pick<RpcRequest, 'id' | 'batch'> & Outcome;

/** Methods by name; members that every object has are not methods. */
export const methodTable = <M>(methods: Record<string, M>): ((name: string) => M | undefined) => {
  const table = new Map(Object.entries(methods));
  return (name) => table.get(name);
};

/**
 * Answers each request exactly once. An RpcError becomes the error of its response; all else is a bug, which is logged with
 * its stack and answered -32603. Never errors.
 *   method  e-R-e-|      method  e-#
 *   out     e-A-e-|      out     e-(A|)     (e another message, R the result, A the response)
 */
export const router = <R extends RpcRequest, E extends { kind: string } = never>(deps: RouterDeps<R, E>) => {
  const { methodOf, unknownMethod: notFound = unknownMethod } = deps;
  const toFailure = failureOutcome(deps);
  const toOutcome = (end: Result | Failure): Outcome =>
    end.kind === 'result' ? { result: end.result } : toFailure(end.error);
  return (request: R): Observable<Answer | E> =>
    defer(() => methodOf(request.method)?.(request) ?? throwError(() => notFound(request.method))).pipe(
      answerOnce<E>(reportBug(deps.log)),
      map((item) => (isEnd(item) ? toAnswer(request, toOutcome(item)) : item)),
    );
};

const isEnd = <E extends { kind: string }>(item: Result | Failure | E): item is Result | Failure =>
  item.kind === 'result' || item.kind === 'failure';

const toAnswer = ({ id, batch }: RpcRequest, outcome: Outcome): Answer =>
  batch === undefined ? { kind: 'response', id, ...outcome } : { kind: 'response', id, batch, ...outcome };

type ServeDeps<R, M> = {
  /** The messages of one request; see `router`. */
  route: (request: R) => Observable<M>;
  /** Hot; ids of requests as the client cancels them. Default: none. */
  cancelled$?: Observable<RpcRequest['id']>;
};

/**
 * Each request is answered when its method is done, so none waits for another. A cancelled request is stopped, and not answered. Completes when
 * the requests have completed and the last is answered.
 *   request    1-2-------|
 *   cancelled  ----1------
 *   out        -------2--|     (2 the response to the second)
 */
export const serve =
  <R extends RpcRequest, M>({ route, cancelled$ = NEVER }: ServeDeps<R, M>): OperatorFunction<R, M> =>
  (request$) =>
    request$.pipe(
      mergeMap((request) => route(request).pipe(takeUntil(cancelled$.pipe(filter((id) => id === request.id))))),
    );
