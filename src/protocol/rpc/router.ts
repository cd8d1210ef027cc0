/** The router of a server: a table of methods gives one response per request. */
import { defer, map, type Observable, throwError } from 'rxjs';
import type { RpcError } from '../jsonrpc/messages';
import type { Log } from '../log';
import { answerOnce, type Failure, type Result } from './answerOnce';
import { failureOutcome, reportBug, unknownMethod } from './failureOutcome';
import type { Outcome, RpcRequest } from './messages';

/**
 * `request => stream` of what a method sends: its result once, at any time, and other messages before and after it. It may
 * throw or error with RpcError as long as there is no result. Unsubscribing cancels it.
 */
export type Method<R, E = never> = (request: R) => Observable<Result | E>;

/**
 * @param methodOf the method of this name, if there is one; see `methodTable`
 * @param unknownMethod the error of a name without a method
 * @param textOf the text of a bug for the client; default: `Internal error` for all
 */
export type RouterDeps<R, E> = {
  methodOf: (name: string) => Method<R, E> | undefined;
  log: Log;
  unknownMethod?: (name: string) => RpcError;
  textOf?: (bug: unknown) => string;
};

/** The response to a request; that to a member of a batch belongs to the batch. */
export type Answer = { kind: 'response' } & Pick<RpcRequest, 'id' | 'batch'> & Outcome;

/** Methods by name; what every object has by name is not found in it. */
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
