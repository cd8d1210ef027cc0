import { NEVER, type Observable } from 'rxjs';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import { handshake } from '../../../src/protocol/rpc/handshake';
import type { RpcIncoming } from '../../../src/protocol/rpc/messages';
import { openPeer } from '../../../src/protocol/rpc/openPeer';
import { marbles } from '../../support/marbles';
import { transportOf } from '../../support/transport';

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

describe('handshake', () => {
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
