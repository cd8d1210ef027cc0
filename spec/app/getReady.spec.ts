import { throwError } from 'rxjs';
import { getReady } from '../../src/app/getReady';
import { marbles } from '../support/marbles';

const a = Buffer.from('{"method":"initialize"}');

describe('getReady', () => {
  it('warms up 20 ms behind the first input, and rehearses 60 ms behind it', () => {
    const done: string[] = [];
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const rehearsal = cold<never>(' ----|');
      const byte$ = hot<Uint8Array>('a 99ms -|', { a });
      const ready$ = byte$.pipe(getReady({ warmUp: () => done.push('warm'), rehearsal, log: () => {} }));
      expectObservable(ready$).toBe(' 64ms |');
      expectSubscriptions(rehearsal.subscriptions).toBe('- 59ms ^---!');
    })();
    expect(done).toEqual(['warm']);
  });

  it('goes on, and logs, when a rehearsal fails', () => {
    const logged: unknown[] = [];
    marbles(({ hot, expectObservable }) => {
      const byte$ = hot<Uint8Array>('a 99ms -|', { a });
      const rehearsal = throwError(() => new Error('no'));
      const log = (...entry: unknown[]) => void logged.push(entry);
      expectObservable(byte$.pipe(getReady({ warmUp: () => {}, rehearsal, log }))).toBe('60ms |');
    })();
    expect(logged).toEqual([['warning', 'the rehearsal of a turn failed', { reason: 'no' }]]);
  });

  it('passes on what warming up throws', () => {
    marbles(({ hot, expectObservable }) => {
      const warmUp = () => {
        throw new Error('no');
      };
      const byte$ = hot<Uint8Array>('a 99ms -|', { a });
      expectObservable(byte$.pipe(getReady({ warmUp, log: () => {} }))).toBe('- 19ms #', undefined, new Error('no'));
    })();
  });
});
