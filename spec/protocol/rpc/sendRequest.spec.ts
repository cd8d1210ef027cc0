import { take } from 'rxjs';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import type { RpcGap, RpcOutgoing, RpcResponse } from '../../../src/protocol/rpc/messages';
import { sendRequest } from '../../../src/protocol/rpc/openPeer';
import type { RequestOptions } from '../../../src/protocol/rpc/peer';
import { marbles } from '../../support/marbles';

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
