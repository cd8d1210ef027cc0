import { concatMap, EMPTY, map, merge, mergeMap, NEVER, type Observable, of, switchMap, take, tap, timer } from 'rxjs';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import type { RpcGap, RpcIncoming, RpcOutgoing, RpcResponse, RpcTransport } from '../../../src/protocol/rpc/messages';
import { handshake, openPeer, sendRequest } from '../../../src/protocol/rpc/openPeer';
import type { Peer, RequestOptions } from '../../../src/protocol/rpc/peer';
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

describe('handshake', () => {
  const incoming: Record<string, RpcIncoming> = {
    I: { kind: 'response', id: 1, result: { version: '1' } },
    F: { kind: 'response', id: 1, error: { code: -1, message: 'too old' } },
    n: { kind: 'notification', method: 'note', params: {} },
  };
  const G = { G: { peer: expect.anything(), result: { version: '1' } } };
  const greet = (incoming$: Observable<RpcIncoming>, deadlineMs?: number) => {
    const { transport, sent } = transportOf(incoming$);
    const peer$ = openPeer({ transport, name: 'the peer' });
    return { sent, greeted$: peer$.pipe(handshake({ params: { me: 1 }, ready: 'initialized', deadlineMs })) };
  };

  it.each([
    ['emits the peer and its result, and stays as long as the connection', '-n-I--#', '---G--#', new Error('lost')],
    ['errors with a refusal', '--F', '--#', new RpcError(-1, 'too old')],
    ['errors with the connection', '--#', '--#', new Error('lost')],
  ])('%s', (_, source, expected, error) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(greet(hot(source, incoming, new Error('lost'))).greeted$).toBe(expected, G, error);
    })(),
  );

  it(
    'errors at the deadline',
    marbles(({ expectObservable }) => {
      const late = new Error('the peer did not answer initialize within 0.004 s');
      expectObservable(greet(NEVER, 4).greeted$).toBe('----#', {}, late);
    }),
  );

  it(
    'sends initialize, and the ready notification after its result',
    marbles(({ hot, flush }) => {
      const { greeted$, sent } = greet(hot('---I', incoming));
      const seen: number[] = [];
      greeted$.subscribe(() => seen.push(sent.length));
      flush();
      expect(sent).toEqual([
        { kind: 'request', id: 1, method: 'initialize', params: { me: 1 } },
        { kind: 'notification', method: 'initialized', params: {} },
      ]);
      expect(seen).toEqual([2]);
    }),
  );
});

const responses: Record<string, RpcResponse> = {
  y: { kind: 'response', id: 1, result: 'R' },
  n: { kind: 'response', id: 1, error: { code: -32600, message: 'no' } },
  o: { kind: 'response', id: 2, result: 'other' },
};

const cancel: RequestOptions['cancel'] = (requestId, reason) => ({
  kind: 'notification',
  method: 'cancelled',
  params: { requestId, reason },
});

const cancelled = (reason: string) => cancel?.(1, reason);

const asked: RpcOutgoing = { kind: 'request', id: 1, method: 'a/b', params: {} };

describe('sendRequest', () => {
  /** @param after what is sent after the request, which takes `cancel` */
  const specify = (
    source: string,
    expected: string,
    after: unknown[],
    { unsub, error, ...options }: RequestOptions & { unsub?: string; error?: unknown } = {},
  ) => {
    const sent: RpcOutgoing[] = [];
    marbles(({ hot, expectObservable, flush }) => {
      const response$ = hot(source, responses, new Error('lost'));
      const send = (message: RpcOutgoing) => void sent.push(message);
      const request = sendRequest({ response$, send, name: 'the peer', newId: () => 1 });
      expectObservable(request('a/b', {}, { ...options, cancel }), unsub).toBe(expected, undefined, error);
      flush();
    })();
    expect(sent).toEqual([asked, ...after]);
  };

  it(
    'gives up at once where messages of the peer are lost, with the number of bytes, and cancels',
    marbles(({ hot, expectObservable, flush }) => {
      const sent: RpcOutgoing[] = [];
      const gap$ = hot<RpcGap>('--g', { g: { kind: 'gap', missingBytes: 4096 } });
      const why = '4096 bytes of output of the peer are lost, maybe the response among them';
      const send = (message: RpcOutgoing) => void sent.push(message);
      const request = sendRequest({ response$: hot('-o--y', responses), gap$, send, name: 'the peer', newId: () => 1 });
      expectObservable(request('a/b', {}, { cancel })).toBe('--#', undefined, new Error(why));
      flush();
      expect(sent).toEqual([asked, cancelled(why)]);
    }),
  );

  it('emits the result of its own response', () => specify('-o-y-y', '---(R|)', []));
  it('waits', () => specify('-o---', '-----', []));
  it('errors with the error of the peer', () => specify('---n', '---#', [], { error: new RpcError(-32600, 'no') }));
  it('errors with the loss of the connection, where nothing can be cancelled', () =>
    specify('---#', '---#', [], { error: new Error('lost') }));
  it('cancels when it is unsubscribed', () =>
    specify('-----y', '---', [cancelled('the result is no longer needed')], { unsub: '--!' }));
  it('does not cancel what was answered', () => specify('-y---', '-(R|)', [], { unsub: '---!' }));

  it('errors and cancels at its deadline', () => {
    const why = 'the peer did not answer a/b within 0.005 s';
    specify('-o-----y', '-----#', [cancelled(why)], { deadlineMs: 5, error: new Error(why) });
  });
  it('forgets its deadline with the response', () => specify('---y', '---(R|)', [], { deadlineMs: 5 }));

  it(
    'errors and cancels when it is given up, for the reason given',
    marbles(({ hot, expectObservable, expectSubscriptions, flush }) => {
      const sent: RpcOutgoing[] = [];
      const giveUp$ = hot('  --w-w', { w: 'too slow' });
      const response$ = hot('-----y', responses);
      const request = sendRequest({ response$, send: (message) => void sent.push(message), name: 'p', newId: () => 1 });
      expectObservable(request('a/b', {}, { giveUp$, cancel })).toBe('--#', {}, new Error('too slow'));
      expectSubscriptions(response$.subscriptions).toBe('^-!');
      flush();
      expect(sent).toEqual([asked, cancelled('too slow')]);
    }),
  );

  it(
    'goes on when nothing will give it up any more',
    marbles(({ hot, cold, expectObservable }) => {
      const request = sendRequest({ response$: hot('---y', responses), send: () => {}, name: 'p', newId: () => 1 });
      expectObservable(request('a/b', {}, { giveUp$: cold('-|') })).toBe('---(R|)');
    }),
  );

  it(
    'sends nothing before it is subscribed, and no cancel where the protocol has none',
    marbles(({ hot, expectObservable, flush }) => {
      const sent: RpcOutgoing[] = [];
      const request = sendRequest({
        response$: hot('---y', responses),
        send: (message) => void sent.push(message),
        name: 'p',
        newId: () => 1,
      });
      request('never', {});
      expectObservable(request('a/b', {}), '-!').toBe('--');
      expectObservable(request('a/b', {}).pipe(take(1))).toBe('---(R|)');
      flush();
      expect(sent).toEqual([asked, asked]);
    }),
  );
});
