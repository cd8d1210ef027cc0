/**
 * JSON-RPC over any codec and transport: one peer for clients, one router for servers.
 *
 * Client: `openPeer` connects, `handshake` makes the session ready, `peer.request` emits one result.
 *
 *   openPeer({ transport, name: 'the exec-server' }).pipe(
 *     handshake({ params: { clientName }, ready: 'initialized' }),
 *     switchMap(({ peer }) => peer.request('process/start', params, { deadlineMs: 10_000 })),
 *   )
 *
 * Unsubscribing a request drops it, and notifies the peer where `cancel` is given. `peer.incomingRequests$` are answered with
 * `peer.respond`, or by a router: `peer.incomingRequests$.pipe(serve({ route: router({ methodOf, log }) }), tap((answer) => peer.respond(answer.id, answer)))`.
 *
 * A session that survives its connection: `reconnect` opens one connection after the other, `requestAcross` sends a request on
 * whichever there is and decides what a loss before the response means.
 *
 * Server: `router` answers each request exactly once by a table of methods, `serve` runs requests side by side. A server that
 * is one operator from messages to messages asks its client with `request`: the request is an element of its output.
 */
export { type Result, toResult } from './answerOnce';
export { checkResult } from './checkResult';
export { decodeMessages } from './decodeMessages';
export { failureOutcome, reportBug, unknownMethod } from './failureOutcome';
export { handshake } from './handshake';
export type { Outcome, RpcIncoming, RpcNotification, RpcOutgoing, RpcRequest, RpcTransport } from './messages';
export { openPeer } from './openPeer';
export type { Peer, RequestOptions } from './peer';
export { type Connectivity, reconnect } from './reconnect';
export { request } from './request';
export { requestAcross } from './requestAcross';
export { type Method, methodTable, router } from './router';
export { serve } from './serve';
