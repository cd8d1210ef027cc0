import { asyncScheduler } from 'rxjs';
import { remindUntil } from '../../../src/streams/time/remindUntil';
import { marbles } from '../../support/marbles';

describe('remindUntil', () => {
  it.each([
    ['emits', '        -------a--|', [3, 5]],
    ['emits at once', 'a---------|', []],
    ['is empty', '     ------|', [3, 5]],
    ['fails', '        ----#', [3]],
  ])('reminds until the source %s', (_, source, expected) =>
    marbles(({ cold, expectObservable, flush }) => {
      const at: number[] = [];
      const remind = () => void at.push(asyncScheduler.now());
      expectObservable(cold(source.trim()).pipe(remindUntil({ firstMs: 3, everyMs: 2 }, remind))).toBe(source.trim());
      flush();
      expect(at).toEqual(expected);
    })(),
  );

  it(
    'reminds of a source that never emits, until nobody listens',
    marbles(({ cold, expectObservable, flush }) => {
      let count = 0;
      const source$ = cold('-').pipe(remindUntil({ firstMs: 3, everyMs: 2 }, () => (count += 1)));
      expectObservable(source$, '------!').toBe('-');
      flush();
      expect(count).toBe(2);
    }),
  );
});
