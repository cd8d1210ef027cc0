/** What the engine does while it waits: for an interrupt to be heard, for a model that cannot be reached. */
import { type Observable, throwError } from 'rxjs';
import { interrupt } from '../../src/appServer/interrupt';
import type { Link } from '../../src/appServer/openLink';
import { unreachable } from '../../src/appServer/unreachable';
import type { JsonObject } from '../../src/protocol';
import { RpcError } from '../../src/protocol';
import { marbles } from '../support/marbles';

describe('interrupt', () => {
  const linkOf = (ask: () => Observable<JsonObject>) => ({ ask }) as unknown as Link;

  it(
    'gives up waiting for the end of the turn after three seconds',
    marbles(({ cold, expectObservable }) => {
      const link = linkOf(() => cold('5ms (a|)', { a: {} }));
      expectObservable(interrupt(link, 't', () => 'u', 'over')).toBe('3s (o|)', { o: 'over' });
    }),
  );

  it(
    'asks again while the server knows no turn to stop',
    marbles(({ cold, expectObservable, flush }) => {
      let asked = 0;
      const link = linkOf(() => {
        asked += 1;
        return asked < 4 ? throwError(() => new RpcError(-32600, 'no active turn')) : cold('(a|)', { a: {} });
      });
      expectObservable(interrupt(link, 't', () => 'u', 'over')).toBe('3s (o|)', { o: 'over' });
      flush();
      expect(asked).toBe(4);
    }),
  );

  it(
    'goes on asking no longer than it waits',
    marbles(({ expectObservable, flush }) => {
      let asked = 0;
      const link = linkOf(() => {
        asked += 1;
        return throwError(() => new RpcError(-32600, 'no active turn'));
      });
      expectObservable(interrupt(link, 't', () => undefined, 'over')).toBe('3s (o|)', { o: 'over' });
      flush();
      expect(asked).toBe(30);
    }),
  );
});

describe('unreachable', () => {
  const words = {
    e: { kind: 'notification', method: 'error', params: { willRetry: true, error: { message: 'no route' } } },
    x: { kind: 'notification', method: 'error', params: { error: { message: 'final' } } },
    i: { kind: 'notification', method: 'item/agentMessage/delta', params: {} },
    t: { kind: 'notification', method: 'thread/tokenUsage/updated', params: {} },
  } as const;
  const late = {
    kind: 'late',
    message: 'The model could not be reached for 0.01 s and the turn was stopped. no route',
  };

  it.each([
    ['counts from the first error of a row', '-e--e--t---|', '-----------(L|)'],
    ['begins anew after a sign of the model', '-e--i-e---------|', '----------------(L|)'],
    ['takes a final error for none of its own', '-x-------------|', '---------------|'],
    ['says nothing where nothing is wrong', '-i--t--|', '-------|'],
  ])('%s', (_, word, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(unreachable(hot(word, words), 10)).toBe(expected, { L: late });
    })(),
  );
});
