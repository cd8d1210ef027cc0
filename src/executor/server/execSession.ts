/** Owns one session: what it runs outlives the connection it was asked on. */
import {
  catchError,
  defer,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  Subject,
  share,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import type { Log } from '../../log';
import type { ExecOutgoing, ExecRequest } from '../../protocol/exec';
import { RpcError } from '../../protocol/jsonrpc';
import { type Backpressure, noBackpressure, switchableBackpressure } from '../../streams';
import type { Ask, ClientConnection } from './clientConnection';
import type { Method, Said } from './execMethod';
import { toRefusal } from './refusal';

/**
 * `graceMs` is how long a session waits for its client to come back, at most until `stop$` emits; `onEnd` is told when it
 * does not. `methodsOf` makes the methods of a session whose sources wait while the queue to the client is full.
 */
export type ExecSessionDeps = {
  methodsOf: (backpressure: Backpressure) => Record<string, Method>;
  graceMs: number;
  stop$: Observable<unknown>;
  log: Log;
};

/**
 * `attach` is a connection's way into it: requests to what it is told, one connection at a time. Answers go to the
 * connection that asked, or nowhere; what processes tell goes to the one that is there, or is only retained. It completes
 * when another connection attaches. `isHeld` asks the one that is there whether its client is.
 */
export type ExecSession = {
  id: string;
  isHeld: () => Observable<boolean>;
  attach: (caller: ClientConnection) => OperatorFunction<ExecRequest, ExecOutgoing>;
};

/** What comes in: a connection, and what it asks. */
type Asked = { kind: 'asked' } & Ask;
type Entered = { kind: 'entered'; by: ClientConnection };
type Told = { to: ClientConnection; message: ExecOutgoing };

/**
 * Begins with the first `attach`. Without a connection it goes on for `graceMs`, and no queue slows its processes; then all
 * it owns is let go.
 *   first   -r--R-o|            (r a start, R its answer, o output)
 *   second          --o-o-|     (what came in between is retained)
 *   life    ^-----------------!
 */
export const execSession = (deps: ExecSessionDeps, id: string, onEnd: () => void): ExecSession => {
  const in$ = new Subject<Asked | Entered>(); // the wire from connections into the session
  const backpressure = switchableBackpressure();
  const callers = new Set<ClientConnection>();
  const told$ = in$.pipe(
    filter((item): item is Asked => item.kind === 'asked'),
    serve(deps, backpressure),
    finalize(onEnd),
    share({ resetOnRefCountZero: () => endOfGrace(deps) }),
  );
  const enter = (by: ClientConnection) => {
    in$.next({ kind: 'entered', by });
    callers.add(by);
    backpressure.switchTo(by.backpressure);
  };
  const leave = (by: ClientConnection) => callers.delete(by) && backpressure.switchTo(noBackpressure);
  const attach = (by: ClientConnection) => (request$: Observable<ExecRequest>) =>
    merge(
      told$.pipe(
        filter(({ to, message }) => to === by || message.kind === 'notification'),
        map(({ message }) => message),
      ),
      defer(() => {
        enter(by); // when it hears already: who is replaced leaves a session that is not empty
        return request$.pipe(
          tap((request) => in$.next({ kind: 'asked', by, request })),
          ignoreElements(),
        );
      }),
    ).pipe(
      takeUntil(in$.pipe(filter(({ kind, by: who }) => kind === 'entered' && who !== by))),
      finalize(() => leave(by)),
    );
  const isHeld = () => defer(() => [...callers].at(-1)?.isAlive() ?? of(false));
  return { id, isHeld, attach };
};

const endOfGrace = ({ graceMs, stop$ }: ExecSessionDeps): Observable<unknown> =>
  graceMs > 0 ? merge(timer(graceMs), stop$).pipe(take(1)) : of(0);

/** Requests are answered as they are done, so none waits for another. */
const serve =
  ({ methodsOf, log }: ExecSessionDeps, backpressure: Backpressure): OperatorFunction<Asked, Told> =>
  (asked$) =>
    defer(() => {
      const methods = methodsOf(backpressure);
      return asked$.pipe(mergeMap((ask) => run(log, methods[ask.request.method] as Method, ask)));
    });

const run = (log: Log, method: Method, ask: Ask): Observable<Told> => {
  const refuse = (error: unknown): Observable<Told> => {
    if (!(error instanceof RpcError)) log('error', 'a request failed', { stack: (error as Error).stack });
    return of({ to: ask.by, message: toRefusal(ask.request.id, error) });
  };
  try {
    return method(ask.request.params, ask).pipe(
      map((said) => toTold(ask, said)),
      catchError(refuse),
    );
  } catch (error) {
    return refuse(error);
  }
};

const toTold = (ask: Ask, said: Said): Told => {
  if (said.kind !== 'answer') return { to: ask.by, message: said };
  const { by, request } = said.to ?? ask;
  return { to: by, message: { kind: 'response', id: request.id, result: said.result } };
};
