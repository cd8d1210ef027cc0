import type { Observable } from 'rxjs';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import type { Connectivity } from '../../../src/protocol/rpc/reconnect';
import type { AcrossDeps } from '../../../src/protocol/rpc/requestAcross';
import { requestAcross } from '../../../src/protocol/rpc/requestAcross';
import { marbles } from '../../support/marbles';

type Connection = { send$: Observable<string> };

describe('requestAcross', () => {
  /** The first connection has `first`, the next `second`; `mayRepeat` is given. */
  const specify = (
    state: string,
    [first, second]: [string, string?],
    expected: string,
    { mayRepeat = true, error }: { mayRepeat?: boolean; error?: Error } = {},
  ) =>
    marbles(({ hot, cold, expectObservable }) => {
      const loss = error instanceof RpcError ? error : new Error('lost');
      const connected = (send: string): Connectivity<Connection> => ({
        kind: 'connected',
        connection: { send$: cold(send, {}, loss) },
      });
      const states = { C: connected(first), N: connected(second ?? '-'), D: { kind: 'disconnected' as const } };
      const deps: AcrossDeps<Connection, string> = {
        send: ({ send$ }) => send$,
        mayRepeat: () => mayRepeat,
        ambiguous: () => new Error('ambiguous'),
      };
      expectObservable(requestAcross(hot(state, states, new Error('over')), deps)).toBe(expected, {}, error);
    })();

  it('emits the first response of the connection there is', () => specify('C-----', ['--R-R'], '--(R|)'));
  it('waits for a connection', () => specify('D--C--', ['--R'], '-----(R|)'));
  it('repeats on the next connection what was lost, where it may', () =>
    specify('C--D--N--', ['---#', '-R'], '-------(R|)'));
  it('fails on the next connection what must not be repeated', () =>
    specify('C--D--N--', ['---#', '-R'], '------#', { mayRepeat: false, error: new Error('ambiguous') }));
  it('sends for the first time, whether or not it may be repeated', () =>
    specify('D--C--', ['-R'], '----(R|)', { mayRepeat: false }));
  it('errors with the error of the peer', () => specify('C----', ['--#'], '--#', { error: new RpcError(-1, 'no') }));
  it('errors when no connection will come any more', () =>
    specify('C--D--#', ['---#'], '------#', { error: new Error('over') }));
  it('leaves a connection that another replaces', () => specify('C--N--', ['-----R', '--R'], '-----(R|)'));

  it(
    'forgets the request when it is unsubscribed',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const send$ = cold('---R');
      const state$ = hot<Connectivity<Connection>>('C', { C: { kind: 'connected', connection: { send$ } } });
      const deps = { send: (c: Connection) => c.send$, mayRepeat: () => true, ambiguous: () => new Error() };
      expectObservable(requestAcross(state$, deps), '--!').toBe('--');
      expectSubscriptions(send$.subscriptions).toBe('^-!');
    }),
  );
});
