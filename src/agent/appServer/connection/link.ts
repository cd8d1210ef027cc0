/** An app-server that is ready for requests, as turns see it. */
import type { Observable } from 'rxjs';
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import type { Notification, Request, RequestId } from '../../../protocol/jsonrpc/messages';
import { MessageIds, read } from '../shapes';

/**
 * `request` sends on subscription and emits the result; errors with RpcError, or with ConnectionLost. `requestAndForget` sends a
 * request whose result nobody waits for; `respond` answers a request of the server. `messagesOf` emits the notifications and questions
 * about a thread; it is subscribed by one turn at a time, which answers them; errors with ConnectionLost. `configFault$` emits the
 * fault of a configuration that the server cannot use, and replays it. `giveUp` interrupts the next turn of a thread, which nobody
 * waits for any more, once it begins.
 */
export type Link = {
  request: (method: string, params: JsonObject) => Observable<JsonObject>;
  requestAndForget: (method: string, params: JsonObject) => void;
  respond: (id: RequestId, result: JsonObject) => void;
  messagesOf: (threadId: string) => Observable<ServerMessage>;
  giveUp: (threadId: string) => void;
  configFault$: Observable<string>;
};

/** The connection to the server was lost before it answered; another server may be asked. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}

/** A message that an app-server sends of its own accord, and which thread and turn it belongs to. */
export type ServerMessage = Notification | Request;

/** The id of its thread, '' where it names none. */
export const threadIdOf = ({ params }: ServerMessage): string => read(MessageIds, params).threadId;

/** The id of its turn, '' where it names none. */
export const turnIdOf = ({ params }: ServerMessage): string => {
  const { turnId, turn } = read(MessageIds, params);
  return turnId || turn.id;
};

/** True for the notification that a turn has started. */
export const isTurnStart = ({ method }: ServerMessage): boolean => method === 'turn/started';
