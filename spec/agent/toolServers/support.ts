/** A server as marbles: what it sends in frames, what it is sent in a list. */
import { filter, type Observable, of, Subject } from 'rxjs';
import type { JsonObject } from '../../../src/protocol/jsonrpc/json';
import type { Notification, Request, RequestId } from '../../../src/protocol/jsonrpc/messages';
import type { RpcResponse } from '../../../src/protocol/rpc/messages';
import { sendRequest } from '../../../src/protocol/rpc/openPeer';
import type { Peer } from '../../../src/protocol/rpc/peer';
import { counter } from '../../../src/streams/counter';

export const note = (method: string, params: JsonObject = {}): Notification => ({
  kind: 'notification',
  method,
  params,
});
export const question = (params: JsonObject, id = 'q'): Request => ({
  kind: 'request',
  id,
  method: 'elicitation/create',
  params,
});

/** What a peer was sent besides requests. */
type Sent = Notification | { kind: 'response'; id: RequestId; result?: unknown };

/** A peer whose responses are given by method; `sent` collects what it is sent besides requests. */
export const peerOf = (incoming$: Observable<Request | Notification>, results: Record<string, Observable<unknown>>) => {
  const sent: Sent[] = [];
  const requests: [string, JsonObject][] = [];
  const response$ = new Subject<RpcResponse>();
  const peer: Peer<JsonObject> = {
    request: sendRequest({
      response$,
      name: 'the server',
      newId: counter(),
      send: (message) => {
        if (message.kind !== 'request') return void sent.push(message as Sent);
        const { id, method, params } = message;
        requests.push([method, params]);
        (results[method] ?? of({})).subscribe({
          next: (result) => response$.next({ kind: 'response', id, result }),
          error: (error) => response$.error(error),
        });
      },
    }),
    requestAndForget: () => {},
    notify: (method, params) => void sent.push({ kind: 'notification', method, params }),
    respond: (id, outcome) => void sent.push({ kind: 'response', id, ...outcome }),
    incoming$,
    incomingRequests$: incoming$.pipe(filter((message) => message.kind === 'request')),
    notifications$: incoming$.pipe(filter((message) => message.kind === 'notification')),
  };
  return { peer, sent, requests };
};
