/** One session. Its processes outlive the connection of their request. */
import {
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
import type { ExecNotification, ExecOutgoing, ExecRequest } from '../../protocol/exec/codec';
import type { Log } from '../../protocol/log';
import { router } from '../../protocol/rpc/router';
import { type Backpressure, noBackpressure, switchableBackpressure } from '../../streams/backpressure';
import { mapMulti } from '../../streams/gather';
import { ofKind } from '../../streams/ofKind';
import { reasonOf } from '../../streams/text/reasons';
import { inputFirst } from '../../streams/time/limits';
import type { Method } from './method';

/** The connection of a client. */
export type ClientConnection = {
  /** Of the queue to the client. */
  backpressure: Backpressure;
  /** Emits once whether the client is still connected. Default: always, as on stdio. */
  isAlive: () => Observable<boolean>;
};

/** How a session works. */
export type ExecSessionDeps = {
  /** Makes the methods of a session, whose sources wait while the queue to the client is full. */
  methodsOf: (backpressure: Backpressure, sessionId: string) => Record<string, Method>;
  /** How long a session waits for its client to come back, at most until `stop$` emits. */
  graceMs: number;
  stop$: Observable<unknown>;
  log: Log;
};

/** A session, which may outlive its connection. */
export type ExecSession = {
  id: string;
  /** Emits whether the client of the present connection is alive. */
  isAttached: () => Observable<boolean>;
  /**
   * Connects a client to the session: requests in, messages out, one connection at a time. A response goes to the connection of its request, or nowhere.
   * Notifications go to the present connection; without one, their events are only retained. Completes when another connection attaches.
   */
  attach: (connection: ClientConnection) => OperatorFunction<ExecRequest, ExecOutgoing>;
};

type Incoming =
  | { kind: 'attached'; from: ClientConnection }
  | { kind: 'request'; from: ClientConnection; request: ExecRequest };

type Addressed = {
  /** The connection that gets the response. */
  to: ClientConnection;
  message: ExecOutgoing;
};

/**
 * Begins with the first `attach`. Without a connection it goes on for `graceMs`, and no queue slows its processes; then all
 * its requests are unsubscribed, and `onEnd` is called.
 *   first   -r--R-o|            (r a start, R its response, o output)
 *   second          --o-o-|     (output in between is retained)
 *   life    ^-----------------!
 */
export const execSession = (deps: ExecSessionDeps, id: string, onEnd: () => void): ExecSession => {
  const in$ = new Subject<Incoming>(); // the wire from connections into the session
  const backpressure = switchableBackpressure();
  const connections = new Set<ClientConnection>(); // the newest is the last
  const out$ = in$.pipe(
    runRequests({ ...deps, sessionId: id }, backpressure),
    finalize(onEnd),
    share({ resetOnRefCountZero: () => endOfGrace(deps) }),
  );
  const enter = (from: ClientConnection): void => {
    in$.next({ kind: 'attached', from });
    connections.add(from);
    backpressure.switchTo(from.backpressure);
  };
  const leave = (from: ClientConnection) => connections.delete(from) && backpressure.switchTo(noBackpressure);
  const attach = (from: ClientConnection) => (request$: Observable<ExecRequest>) => {
    const enter$ = defer(() => {
      enter(from);
      return request$.pipe(sendTo(in$, from));
    });
    // out$ first: a replaced connection then leaves a session that another is subscribed to
    return merge(out$.pipe(messagesTo(from)), enter$).pipe(
      takeUntil(in$.pipe(filter((item) => item.kind === 'attached' && item.from !== from))),
      finalize(() => leave(from)),
    );
  };
  return { id, isAttached: () => defer(() => [...connections].at(-1)?.isAlive() ?? of(false)), attach };
};

const endOfGrace = ({ graceMs, stop$ }: ExecSessionDeps): Observable<unknown> =>
  graceMs > 0 ? merge(timer(graceMs, inputFirst), stop$).pipe(take(1)) : of(0);

/** The responses to the requests of this connection, and all notifications. */
const messagesTo = (connection: ClientConnection): OperatorFunction<Addressed, ExecOutgoing> =>
  mapMulti(({ to, message }, emit) => {
    if (to === connection || message.kind === 'notification') emit(message);
  });

/** Sends each request into the session. Emits nothing. */
const sendTo =
  (in$: Subject<Incoming>, from: ClientConnection): OperatorFunction<ExecRequest, never> =>
  (request$) =>
    request$.pipe(
      tap((request) => in$.next({ kind: 'request', from, request })),
      ignoreElements(),
    );

/** Requests run side by side, so none waits for another. */
const runRequests =
  (
    { methodsOf, sessionId, log }: ExecSessionDeps & { sessionId: string },
    backpressure: Backpressure,
  ): OperatorFunction<Incoming, Addressed> =>
  (in$) =>
    defer(() => {
      const methods = new Map(Object.entries(methodsOf(backpressure, sessionId)));
      const route = router<ExecRequest, ExecNotification>({
        methodOf: (name) => {
          const method = methods.get(name);
          return method && (({ params }) => method(params));
        },
        log,
        textOf: reasonOf,
      });
      return in$.pipe(
        ofKind('request'),
        mergeMap(({ from: to, request }) => route(request).pipe(map((message): Addressed => ({ to, message })))),
      );
    });
