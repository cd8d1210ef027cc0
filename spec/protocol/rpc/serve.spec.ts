import type { RpcRequest } from '../../../src/protocol/rpc/messages';
import { serve } from '../../../src/protocol/rpc/serve';
import { marbles } from '../../support/marbles';

const request = (id: RpcRequest['id']): RpcRequest => ({ kind: 'request', id, method: 'm', params: {} });
const requests = { a: request(0), b: request('0') };

describe('serve', () => {
  it(
    'answers side by side, and completes with the last answer',
    marbles(({ cold, expectObservable }) => {
      const source = '  a-b|';
      const long$ = cold('----A|');
      const short$ = cold('B|');
      const expected = '--B-A|';
      const route = ({ id }: RpcRequest) => (id === 0 ? long$ : short$);
      expectObservable(cold(source, requests).pipe(serve({ route }))).toBe(expected);
    }),
  );

  it(
    'stops a request that is cancelled, and no other',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const request$ = cold('  ab------|', requests);
      const cancelled$ = hot(' ---c--cd-', { c: 0, d: 'none' });
      const method$ = cold('     -n---R|');
      const expected = '       -nn---R-|';
      expectObservable(request$.pipe(serve({ route: () => method$, cancelled$ }))).toBe(expected);
      expectSubscriptions(method$.subscriptions).toBe(['^--!', '-^-----!']);
    }),
  );

  it.each([
    ['never', '----', '----'],
    ['empty', '--|', '--|'],
    ['error', '--#', '--#'],
  ])('follows its source: %s', (_, source, expected) =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold(source, requests).pipe(serve({ route: () => cold('A|') }))).toBe(expected);
    })(),
  );

  it(
    'errors with a route that throws, and stops all when it is unsubscribed',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const fail = (): never => {
        throw 'error';
      };
      expectObservable(cold('--a', requests).pipe(serve({ route: fail }))).toBe('--#');
      const method$ = cold('---');
      expectObservable(cold('a-b', requests).pipe(serve({ route: () => method$ })), '---!').toBe('---');
      expectSubscriptions(method$.subscriptions).toBe(['^--!', '--^!']);
    }),
  );
});
