/** A connected JSON-RPC peer: what it can be sent, and what it sends of its own accord. */
import type { Observable } from 'rxjs';
import type { JsonObject } from '../jsonrpc/json';
import type { RequestId } from '../jsonrpc/messages';
import type { Outcome, RpcNotification, RpcRequest } from './messages';

/**
 * @param deadlineMs how long the response may take; default: no limit
 * @param giveUp$ emits why the response is not waited for any longer
 * @param cancel the notification that cancels it at the peer, where the protocol has one; sent when the request is
 *   unsubscribed, given up or late
 */
export type RequestOptions = {
  deadlineMs?: number;
  giveUp$?: Observable<string>;
  cancel?: (id: RequestId, reason: string) => RpcNotification<JsonObject>;
};

/** Params, or a function that makes them from the id of the request. */
export type ToParams = JsonObject | ((id: number) => JsonObject);

/**
 * `request` sends when it is subscribed, emits the result once and completes. It errors with RpcError, with the reason it was
 * given up for, or with the loss of the connection.
 * `requestAndForget` sends a request whose result nobody waits for; it, `notify` and `respond` send at once.
 * `incoming$` has requests and notifications in the order they came; the other two have one kind each. All are hot, and error
 * when the connection is lost.
 */
export type Peer<P = unknown> = {
  request: (method: string, params: ToParams, options?: RequestOptions) => Observable<unknown>;
  requestAndForget: (method: string, params: JsonObject) => void;
  notify: (method: string, params: JsonObject) => void;
  respond: (id: RequestId, outcome: Outcome) => void;
  incoming$: Observable<RpcRequest<P> | RpcNotification<P>>;
  incomingRequests$: Observable<RpcRequest<P>>;
  notifications$: Observable<RpcNotification<P>>;
};
