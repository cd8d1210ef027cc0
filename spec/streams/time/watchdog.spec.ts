import { map } from 'rxjs';
import { watchdog } from '../../../src/streams/time/watchdog';
import { marbles } from '../../support/marbles';

/** Returns these times, then throws. */
const lookWith = (...times: number[]) => {
  const left = [...times];
  return () => {
    const ms = left.shift();
    if (ms === undefined) throw 'error';
    return ms;
  };
};

describe('watchdog', () => {
  it.each([
    ['errors with what a look throws', '          -a-b-c-d', [4, 2], '-a-b-c#', '^-----!'],
    ['looks first when it is subscribed', '       -a-b', [] as number[], '#', ''],
    ['looks no more behind the end', '            -a|', [4], '    -a|', '^-!'],
    ['looks no more behind an error', '           -a#', [4], '    -a#', '^-!'],
  ])('%s', (_, source, times, expected, subscribed) =>
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot(source);
      expectObservable(item$.pipe(watchdog({ look: lookWith(...times), note: () => {} }))).toBe(expected);
      expectSubscriptions(item$.subscriptions).toBe(subscribed === '' ? [] : subscribed);
    })(),
  );

  it(
    'looks no more when nobody listens',
    marbles(({ hot, expectObservable, flush }) => {
      let looks = 0;
      const look = () => {
        looks += 1;
        return 2;
      };
      expectObservable(hot('-a-b-c-d-e').pipe(watchdog({ look, note: () => {} })), '-----!').toBe('-a-b-');
      flush();
      expect(looks).toBe(3);
    }),
  );

  it(
    'notes each item before it passes it',
    marbles(({ hot, expectObservable }) => {
      let noted = '';
      const note = (item: string) => {
        noted += item;
      };
      const noted$ = hot('-a-b-|').pipe(
        watchdog({ look: () => 9, note }),
        map(() => noted),
      );
      expectObservable(noted$).toBe('-a-b-|', { a: 'a', b: 'ab' });
    }),
  );
});
