/** Owns the connection to an app-server: what it asks that nobody here answers is answered at once. */
import { filter, ignoreElements, merge, type Observable, type OperatorFunction, of, switchMap, tap } from 'rxjs';
import { type Heard, type Peer, type Sent, shakeHands } from '../executor';
import { type JsonObject, METHOD_NOT_FOUND, type Request, type Response } from '../protocol';
import { ofKind } from '../streams';
import { declineOf, isQuestion } from './approvals';
import { threadOf } from './wire';

/**
 * An app-server that can be asked; `tell` asks and takes any answer. `busy` holds the threads that have a turn, which
 * answers the server's questions about it.
 */
export type Link = Pick<Peer, 'word$' | 'ask'> & {
  tell: (method: string, params: JsonObject) => void;
  answer: (id: Request['id'], result: JsonObject) => void;
  busy: Set<string>;
};

/** @param transport one life of the server's process; errors when it ends */
export type LinkDeps = { transport: OperatorFunction<Sent, Heard>; version: string; newId: () => number };

/** `backgroundTerminals/clean`, which ends the commands of an interrupted turn, belongs to the experimental API. */
const helloOf = (version: string) => ({
  clientInfo: { name: 'codex-rx', title: 'codex-rx', version },
  capabilities: { experimentalApi: true },
});

/**
 * Connects and shakes hands. Emits the link once it can be used; errors when the server is gone. What is not known is
 * refused, a question about a turn that is over declined.
 *   server ---I--q---#     (I the answer to initialize, q a question of nobody's)
 *   link   ---L------#
 *   said   i--n--d         (d declined)
 */
export const openLink = ({ transport, version, newId }: LinkDeps): Observable<Link> =>
  shakeHands({ transport, title: 'the codex app-server', newId, hello: helloOf(version), ready: 'initialized' }).pipe(
    switchMap(({ peer }) => {
      const link = linkOf(peer);
      return merge(
        peer.word$.pipe(
          ofKind('request'),
          filter((request) => !isQuestion(request) || !link.busy.has(threadOf(request))),
          tap((request) => peer.say(refusalOf(request))),
          ignoreElements(),
        ),
        of(link),
      );
    }),
  );

const refusalOf = (request: Request): Response =>
  isQuestion(request)
    ? { kind: 'response', id: request.id, result: declineOf(request) }
    : {
        kind: 'response',
        id: request.id,
        error: { code: METHOD_NOT_FOUND, message: `unknown method ${request.method}` },
      };

const linkOf = ({ word$, ask, say, newId }: Peer): Link => ({
  word$,
  ask: (method, params) => ask(method, params),
  tell: (method, params) => say({ kind: 'request', id: newId(), method, params }),
  answer: (id, result) => say({ kind: 'response', id, result }),
  busy: new Set(),
});
