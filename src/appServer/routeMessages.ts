/** Where the messages of an app-server go: to the turn of their thread, or back. */
import {
  catchError,
  defer,
  finalize,
  ignoreElements,
  merge,
  type Observable,
  Subject,
  share,
  tap,
  throwError,
} from 'rxjs';
import { type JsonObject, METHOD_NOT_FOUND, type Request } from '../protocol/jsonrpc';
import type { Outcome, Peer } from '../rpc';
import { ConnectionLost } from './connectionLost';
import type { Link } from './link';
import { declinedResult, isQuestion } from './questions';
import { isTurnStart, type ServerMessage, threadIdOf, turnIdOf } from './serverMessage';

/** `routed$` does the routing while it is subscribed and emits nothing; errors with the connection. */
export type MessageRoutes = Pick<Link, 'messagesOf' | 'giveUp'> & { routed$: Observable<never> };

/**
 * Routes each message to the turn of its thread, which costs the same however many turns run. A request that nobody can answer
 * is refused, a question of a thread without a turn is declined, a turn that starts after it was given up is interrupted.
 *   peer      --m--q--r-#     (m, q a message and a question of a thread with a turn, r a request that nobody knows)
 *   messages  --m--q----#
 *   sent      --------R       (R the error response)
 */
export const routeMessages = (peer: Peer<JsonObject>): MessageRoutes => {
  const routes = new Map<string, Subject<ServerMessage>>(); // changed in place; each the wire to the turn of a thread
  const givenUp = new Set<string>(); // changed in place; threads whose turn may start late
  const routeToTurn = (message: ServerMessage): void => {
    const threadId = threadIdOf(message);
    const turn$ = routes.get(threadId);
    if (turn$ !== undefined) turn$.next(message);
    else if (message.kind === 'request') peer.respond(message.id, { result: declinedResult(message) });
    else if (isTurnStart(message) && givenUp.has(threadId)) {
      peer.requestAndForget('turn/interrupt', { threadId, turnId: turnIdOf(message) });
    }
  };
  const route = (message: ServerMessage): void => {
    if (message.kind === 'notification' || isQuestion(message)) routeToTurn(message);
    else peer.respond(message.id, refusalOf(message));
  };
  const lost$ = peer.incoming$.pipe(
    ignoreElements(),
    catchError(({ message }: Error) => throwError(() => new ConnectionLost(message))),
    share(), // so that a message passes one filter, not one per turn
  );
  return {
    routed$: peer.incoming$.pipe(tap(route), ignoreElements()),
    messagesOf: (threadId) =>
      defer(() => {
        const turn$ = new Subject<ServerMessage>();
        routes.set(threadId, turn$);
        givenUp.delete(threadId);
        // the next turn of a thread may be there before this one is unsubscribed
        return merge(turn$, lost$).pipe(finalize(() => routes.get(threadId) === turn$ && routes.delete(threadId)));
      }),
    giveUp: (threadId) => void givenUp.add(threadId),
  };
};

const refusalOf = ({ method }: Request): Outcome => ({
  error: { code: METHOD_NOT_FOUND, message: `unknown method ${method}` },
});
