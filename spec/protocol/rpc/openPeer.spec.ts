import { concatMap, EMPTY, map, merge, mergeMap, NEVER, of, switchMap, take, tap, timer } from 'rxjs';
import type { RpcIncoming, RpcTransport } from '../../../src/protocol/rpc/messages';
import { openPeer } from '../../../src/protocol/rpc/openPeer';
import type { Peer } from '../../../src/protocol/rpc/peer';
import { marbles } from '../../support/marbles';
import { transportOf } from '../../support/transport';

const P = { P: expect.objectContaining({ request: expect.any(Function) }) };
const incoming: Record<string, RpcIncoming> = {
  q: { kind: 'request', id: 's', method: 'ask', params: {} },
  n: { kind: 'notification', method: 'note', params: { a: 1 } },
  f: { kind: 'fault' },
  b: { kind: 'batch' },
  r: { kind: 'response', id: 1, result: 'R' },
};

describe('openPeer', () => {
  it(
    'emits the peer once the transport takes messages',
    marbles(({ expectObservable }) => {
      const slow: RpcTransport = (out$) => timer(3).pipe(switchMap(() => out$.pipe(concatMap(() => EMPTY))));
      expectObservable(openPeer({ transport: slow, name: 'p' })).toBe('---P', P);
    }),
  );

  it.each([
    ['the reason of the transport', '--#', '--#', new Error('exit code 1')],
    ['one of its own where the transport completes', '--|', '--#', new Error('the connection to the peer was lost')],
  ])('errors when the connection is lost, with %s', (_, source, expected, error) =>
    marbles(({ cold, expectObservable }) => {
      const transport: RpcTransport = () => cold(source, {}, error);
      expectObservable(openPeer({ transport, name: 'the peer' })).toBe(expected, {}, error);
    })(),
  );

  it(
    'closes the connection when it is unsubscribed',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const incoming$ = hot('----', incoming);
      expectObservable(
        openPeer({ transport: (out$) => merge(out$.pipe(concatMap(() => EMPTY)), incoming$), name: 'p' }),
        '--!',
      ).toBe('P', P);
      expectSubscriptions(incoming$.subscriptions).toBe('^-!');
    }),
  );

  it.each<[keyof Peer, string]>([
    ['incoming$', '-qn-'],
    ['incomingRequests$', '-q--'],
    ['notifications$', '--n-'],
  ])('has what the peer sends of its own accord: %s', (member, expected) =>
    marbles(({ hot, expectObservable }) => {
      const { transport } = transportOf(hot('-qnfbr', incoming));
      const calls$ = openPeer({ transport, name: 'p' }).pipe(switchMap((peer) => peer[member] as Peer['incoming$']));
      expectObservable(calls$).toBe(expected, incoming);
    })(),
  );

  it(
    'sends notifications, responses, and requests whose result nobody waits for, at once',
    marbles(({ flush }) => {
      const { transport, sent } = transportOf<RpcIncoming>(NEVER);
      openPeer({ transport, name: 'p' }).subscribe((peer) => {
        peer.notify('ready', { a: 1 });
        peer.requestAndForget('stop', { b: 2 });
        peer.respond('s', { result: {} });
        peer.respond(0, { error: { code: 1, message: 'no' } });
      });
      flush();
      expect(sent).toEqual([
        { kind: 'notification', method: 'ready', params: { a: 1 } },
        { kind: 'request', id: 1, method: 'stop', params: { b: 2 } },
        { kind: 'response', id: 's', result: {} },
        { kind: 'response', id: 0, error: { code: 1, message: 'no' } },
      ]);
    }),
  );

  it(
    'takes a response that comes synchronously',
    marbles(({ expectObservable }) => {
      const echo: RpcTransport = map((message) => ({
        kind: 'response' as const,
        id: 'id' in message ? message.id : null,
        result: 'method' in message && message.method,
      }));
      const result$ = openPeer({ transport: echo, name: 'p' }).pipe(
        mergeMap((peer) => peer.request('ping', {})),
        take(1),
      );
      expectObservable(result$).toBe('(p|)', { p: 'ping' });
    }),
  );

  it(
    'gives each request an id of its own, from the first id given',
    marbles(({ flush }) => {
      const { transport, sent } = transportOf<RpcIncoming>(NEVER);
      const ids = [7, 9];
      openPeer({ transport, name: 'p', newId: () => ids.shift() as number })
        .pipe(
          mergeMap((peer) =>
            merge(
              peer.request('a', {}),
              peer.request('b', (id) => ({ id })),
            ),
          ),
        )
        .subscribe();
      flush();
      expect(sent).toEqual([
        { kind: 'request', id: 7, method: 'a', params: {} },
        { kind: 'request', id: 9, method: 'b', params: { id: 9 } },
      ]);
    }),
  );

  it(
    'fails requests that are made after the loss with its reason',
    marbles(({ hot, expectObservable }) => {
      const { transport } = transportOf(hot<RpcIncoming>('--#', {}, new Error('gone')));
      const peers: Peer[] = [];
      openPeer({ transport, name: 'p' })
        .pipe(tap((peer) => peers.push(peer)))
        .subscribe({ error: () => {} });
      const late$ = timer(5).pipe(mergeMap(() => peers[0]?.request('a', {}) ?? of('no peer')));
      expectObservable(late$).toBe('-----#', {}, new Error('gone'));
    }),
  );
});
