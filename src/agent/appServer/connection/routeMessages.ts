/** Routes the messages of an app-server: to the turn of their thread, or back. */
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
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import { METHOD_NOT_FOUND, type Request } from '../../../protocol/jsonrpc/messages';
import type { Outcome } from '../../../protocol/rpc/messages';
import type { Peer } from '../../../protocol/rpc/peer';
import { declinedResult, isQuestion } from '../items/questions';
import { ConnectionLost } from './connectionLost';
import type { Link } from './link';
import { isTurnStart, type ServerMessage, threadIdOf, turnIdOf } from './serverMessage';

/** `routed$` does the routing while it is subscribed, and emits nothing; errors with the connection. */
export type MessageRoutes = Pick<Link, 'messagesOf' | 'giveUp'> & { routed$: Observable<never> };

/**
 * Routes each message to the turn of its thread, at a cost that does not grow with the number of turns. A request that nobody can answer
 * is refused, a question about a thread without a turn is declined, a turn that starts after it was given up is interrupted.
 *   peer      --m--q--r-#     (m, q a message and a question of a thread with a turn, r a request that nobody knows)
 *   messages  --m--q----#
 *   sent      --------R       (R the error response)
 */
export const routeMessages = (peer: Peer<JsonObject>): MessageRoutes => {
  const routes: Routes = { turns: new Map(), givenUp: new Set() };
  const lost$ = peer.incoming$.pipe(
    ignoreElements(),
    catchError(({ message }: Error) => throwError(() => new ConnectionLost(message))),
    share(), // so that a message passes one filter, not one per turn
  );
  return {
    routed$: peer.incoming$.pipe(
      tap((message) => route(peer, routes, message)),
      ignoreElements(),
    ),
    messagesOf: (threadId) => merge(turnOf(routes, threadId), lost$),
    giveUp: (threadId) => void routes.givenUp.add(threadId),
  };
};

/** Changed in place: the wires to the running turns, by thread, and the threads whose turn may start late. */
type Routes = { turns: Map<string, Subject<ServerMessage>>; givenUp: Set<string> };

const turnOf = ({ turns, givenUp }: Routes, threadId: string): Observable<ServerMessage> =>
  defer(() => {
    const turn$ = new Subject<ServerMessage>(); // the wire from the connection to the turn
    turns.set(threadId, turn$);
    givenUp.delete(threadId);
    // the next turn of a thread may be there before this one is unsubscribed
    return turn$.pipe(finalize(() => turns.get(threadId) === turn$ && turns.delete(threadId)));
  });

const route = (peer: Peer<JsonObject>, { turns, givenUp }: Routes, message: ServerMessage): void => {
  const threadId = threadIdOf(message);
  const turn$ = turns.get(threadId);
  if (message.kind === 'request' && !isQuestion(message)) peer.respond(message.id, refusalOf(message));
  else if (turn$ !== undefined) turn$.next(message);
  else if (message.kind === 'request') peer.respond(message.id, { result: declinedResult(message) });
  else if (isTurnStart(message) && givenUp.has(threadId)) {
    peer.requestAndForget('turn/interrupt', { threadId, turnId: turnIdOf(message) });
  }
};

const refusalOf = ({ method }: Request): Outcome => ({
  error: { code: METHOD_NOT_FOUND, message: `unknown method ${method}` },
});
