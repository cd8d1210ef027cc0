import { throwError } from 'rxjs';
import { getReady } from '../../src/app/getReady';
import { marbles } from '../support/marbles';

const a = Buffer.from('{"method":"initialize"}');

describe('getReady', () => {
  it('warms up 20 ms after the first input, and runs the warm-up turns 60 ms after it', () => {
    const done: string[] = [];
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const warmUpTurn$ = cold<never>(' ----|');
      const byte$ = hot<Uint8Array>('a 99ms -|', { a });
      const ready$ = byte$.pipe(getReady({ warmUp: () => done.push('warm'), warmUpTurn$, log: () => {} }));
      expectObservable(ready$).toBe(' 64ms |');
      expectSubscriptions(warmUpTurn$.subscriptions).toBe('- 59ms ^---!');
    })();
    expect(done).toEqual(['warm']);
  });

  it('goes on, and logs, when a warmUpTurn$ fails', () => {
    const logged: unknown[] = [];
    marbles(({ hot, expectObservable }) => {
      const byte$ = hot<Uint8Array>('a 99ms -|', { a });
      const warmUpTurn$ = throwError(() => new Error('no'));
      const log = (...entry: unknown[]) => void logged.push(entry);
      expectObservable(byte$.pipe(getReady({ warmUp: () => {}, warmUpTurn$, log }))).toBe('60ms |');
    })();
    expect(logged).toEqual([['warning', 'the warm-up failed', { reason: 'no' }]]);
  });

  it('goes on, and logs, when warming up throws', () => {
    const logged: unknown[] = [];
    marbles(({ hot, expectObservable }) => {
      const warmUp = () => {
        throw new Error('no');
      };
      const byte$ = hot<Uint8Array>('a 99ms -|', { a });
      const log = (...entry: unknown[]) => void logged.push(entry);
      expectObservable(byte$.pipe(getReady({ warmUp, log }))).toBe('60ms |');
    })();
    expect(logged).toEqual([['warning', 'the warm-up failed', { reason: 'no' }]]);
  });
});
