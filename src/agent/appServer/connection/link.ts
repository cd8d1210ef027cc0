/** An app-server that is ready for requests, as turns see it. */
import type { Observable } from 'rxjs';
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import type { RequestId } from '../../../protocol/jsonrpc/messages';
import type { ServerMessage } from './serverMessage';

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
