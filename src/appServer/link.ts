/** An app-server that is ready for requests, as the turns see it. */
import { map, type Observable } from 'rxjs';
import { isObject, type JsonObject, type Notification, type Request } from '../protocol/jsonrpc';
import type { Peer } from '../rpc';
import type { Word } from './wire';

/**
 * `word$` has the notifications and requests of the server. `ask` sends a request when it is subscribed and emits the result;
 * `tell` sends one whose result nobody waits for; `answer` responds to a request. `busy` holds the threads that have a turn, each
 * with what belongs to that turn, which answers the server's requests about it; `givenUp` those whose turn may begin only after
 * it was given up.
 */
export type Link = {
  word$: Observable<Request | Notification>;
  ask: (method: string, params: JsonObject) => Observable<JsonObject>;
  tell: (method: string, params: JsonObject) => void;
  answer: (id: Request['id'], result: JsonObject) => void;
  busy: Map<string, (word: Word) => boolean>;
  givenUp: Set<string>;
};

/** The link to a peer that has shaken hands. */
export const linkOf = ({ incoming$, request, requestAndForget, respond }: Peer<JsonObject>): Link => ({
  word$: incoming$,
  ask: (method, params) => request(method, params).pipe(map((result) => (isObject(result) ? result : {}))),
  tell: requestAndForget,
  answer: (id, result) => respond(id, { result }),
  busy: new Map(),
  givenUp: new Set(),
});
