/** Owns a server as marbles: what it says in frames, what it is told in a list. */
import { type Observable, of } from 'rxjs';
import type { Peer, Sent } from '../../src/executor';
import type { JsonObject, Notification, Request } from '../../src/protocol/jsonrpc';

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

/** A peer whose answers are given by method; `said` collects what it is told besides. */
export const peerOf = (word$: Observable<Request | Notification>, answers: Record<string, Observable<JsonObject>>) => {
  const said: Sent[] = [];
  const asked: [string, JsonObject][] = [];
  let id = 0;
  const peer: Peer = {
    word$,
    newId: () => ++id,
    ask: (method, params) => {
      asked.push([method, params]);
      return answers[method] ?? of({});
    },
    say: (message) => void said.push(message),
  };
  return { peer, said, asked };
};
