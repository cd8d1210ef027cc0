/** A connected JSON-RPC peer: what can be sent to it, and what it sends by itself. */
import type { Observable } from 'rxjs';
import type { JsonObject } from '../jsonrpc/json';
import type { RequestId } from '../jsonrpc/messages';
import type { Outcome, RpcNotification, RpcRequest } from './messages';

/** How long a response is awaited, and how its request is cancelled. */
export type RequestOptions = {
  /** How long the response may take. Default: no limit. */
  deadlineMs?: number;
  /** Emits the reason to wait no longer for the response. */
  giveUp$?: Observable<string>;
  /** The notification that cancels the request, if the protocol has one; sent when the request is unsubscribed, given up or late. */
  cancel?: (id: RequestId, reason: string) => RpcNotification<JsonObject>;
};

/** Params, or a function that makes them from the id of the request. */
type ToParams = JsonObject | ((id: number) => JsonObject);

/** A connected peer. Its streams are hot, and error when the connection is lost. */
export type Peer<P = unknown> = {
  /** Sends when it is subscribed; emits the result once and completes. Errors with RpcError, with the reason to give up, or with the loss of the connection. */
  request: (method: string, params: ToParams, options?: RequestOptions) => Observable<unknown>;
  /** Sends a request at once; its result is ignored. */
  requestAndForget: (method: string, params: JsonObject) => void;
  /** Sends a notification at once. */
  notify: (method: string, params: JsonObject) => void;
  /** Sends a response at once. */
  respond: (id: RequestId, outcome: Outcome) => void;
  /** Requests and notifications in their order. */
  incoming$: Observable<RpcRequest<P> | RpcNotification<P>>;
  incomingRequests$: Observable<RpcRequest<P>>;
  notifications$: Observable<RpcNotification<P>>;
};
