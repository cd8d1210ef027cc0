/** One session: what it runs outlives the connection that a request came on. */

import {
  defer,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
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
import { mergeInGroups } from '../../streams/scanInTurn';
import { reasonOf } from '../../streams/text/reasons';
import type { ClientConnection } from './connection';
import type { Method } from './method';

/**
 * @param methodsOf makes the methods of a session, whose sources wait while the queue to the client is full
 * @param graceMs how long a session waits for its client to come back, at most until `stop$` emits
 */
export type ExecSessionDeps = {
  methodsOf: (backpressure: Backpressure, sessionId: string) => Record<string, Method>;
  graceMs: number;
  stop$: Observable<unknown>;
  log: Log;
};

/**
 * `attach` gives a connection its way into the session: requests in, messages out, one connection at a time. A response goes to
 * the connection its request came on, or nowhere; notifications go to the connection there is, or their events are only
 * retained. It completes when another connection attaches. `isAttached` asks the connection there is whether its client is alive.
 */
export type ExecSession = {
  id: string;
  isAttached: () => Observable<boolean>;
  attach: (connection: ClientConnection) => OperatorFunction<ExecRequest, ExecOutgoing>;
};

type Incoming =
  | { kind: 'attached'; from: ClientConnection }
  | { kind: 'request'; from: ClientConnection; request: ExecRequest };

/** `to` is where a response goes. */
type Addressed = { to: ClientConnection; message: ExecOutgoing };

/**
 * Begins with the first `attach`. Without a connection it goes on for `graceMs`, and no queue slows its processes; then all
 * its requests are unsubscribed, and `onEnd` is called.
 *   first   -r--R-o|            (r a start, R its response, o output)
 *   second          --o-o-|     (what came in between is retained)
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
  graceMs > 0 ? merge(timer(graceMs), stop$).pipe(take(1)) : of(0);

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
        mergeInGroups(({ from: to, request }) => route(request).pipe(map((message): Addressed => ({ to, message })))),
      );
    });
