/** The messages of JSON-RPC as this room needs them: every codec of this project produces and takes these shapes. */
import type { OperatorFunction } from 'rxjs';
import type { JsonObject } from '../jsonrpc/json';
import type { Batch, RequestId, RpcErrorObject } from '../jsonrpc/messages';

/** A request; `P` is what the codec guarantees about incoming params. */
export type RpcRequest<P = unknown> = { kind: 'request'; id: RequestId; method: string; params: P; batch?: Batch };
/** A notification, with params as its codec reads them. */
export type RpcNotification<P = unknown> = { kind: 'notification'; method: string; params: P };

/** The outcome of a request. */
export type Outcome = { result: unknown } | { error: RpcErrorObject };

/** A response; its `id` is null if the peer could not read the id of the request. */
export type RpcResponse = { kind: 'response'; id: RequestId | null; batch?: Batch } & (Outcome | { json: string });

/** Messages of the peer are lost, with as many bytes as are known: any response may have been among them. */
export type RpcGap = { kind: 'gap'; missingBytes?: number };

/** What a transport may deliver. A peer ignores batches, and faults, which have their `line` if the transport knows it. */
export type RpcIncoming<P = unknown> =
  | RpcRequest<P>
  | RpcNotification<P>
  | RpcResponse
  | RpcGap
  | { kind: 'fault'; line?: string }
  | { kind: 'batch' };

/** What is sent to a peer. */
export type RpcOutgoing =
  | RpcRequest<JsonObject>
  | RpcNotification<JsonObject>
  | ({ kind: 'response'; id: RequestId } & Outcome);

/** One connection: outgoing messages in, incoming out. Completes or errors when it is lost; unsubscribing closes it. */
export type RpcTransport<P = unknown> = OperatorFunction<RpcOutgoing, RpcIncoming<P>>;
