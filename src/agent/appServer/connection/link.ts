/** An app-server that is ready for requests, as turns see it. */
import type { Observable } from 'rxjs';
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import type { Notification, Request, RequestId } from '../../../protocol/jsonrpc/messages';
import { MessageIds, read } from '../shapes';

export type Link = {
  /** The release that the server names, such as `0.171.0`; '' if it names none. */
  release: string;
  /** Sends on subscription and emits the result; errors with RpcError, or with ConnectionLost. */
  request: (method: string, params: JsonObject) => Observable<JsonObject>;
  /** Sends a request whose result nobody waits for. */
  requestAndForget: (method: string, params: JsonObject) => void;
  /** Answers a request of the server. */
  respond: (id: RequestId, result: JsonObject) => void;
  /** Emits the notifications and questions about a thread. Subscribed by one turn at a time, which answers them; errors with ConnectionLost. */
  messagesOf: (threadId: string) => Observable<ServerMessage>;
  /** Interrupts the next turn of a thread, which nobody waits for any more, once it begins. */
  giveUp: (threadId: string) => void;
  /** Emits the fault of a configuration that the server cannot use, and replays it. */
  configFault$: Observable<string>;
};

/** The connection to the server was lost before it answered; another server may be asked. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}

/** A message that an app-server sends of its own accord, and which thread and turn it belongs to. */
export type ServerMessage = Notification | Request;

/** The id of its thread, '' if it names none. */
export const threadIdOf = ({ params }: ServerMessage): string => read(MessageIds, params).threadId;

/** The id of its turn, '' if it names none. */
export const turnIdOf = ({ params }: ServerMessage): string => {
  const { turnId, turn } = read(MessageIds, params);
  return turnId || turn.id;
};

/** True for the notification that a turn has started. */
export const isTurnStart = ({ method }: ServerMessage): boolean => method === 'turn/started';
