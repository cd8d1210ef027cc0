import { withDeadline } from '../../../src/streams/time/withDeadline';
import { marbles } from '../../support/marbles';

describe('withDeadline', () => {
  it.each([
    ['ends when the time is over', '           -a-b--c-d', '-a-b-(L|)', '^----!'],
    ['keeps the time of a source that ends', ' -a|', '     -a---(L|)', '^-!'],
    ['errors with its source', '               -a#', '     -a#', '     ^-!'],
    ['waits for a source that waits', '        -------', ' -----(L|)', '^----!'],
  ])('%s', (_, source, expected, subscribed) =>
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot(source);
      expectObservable(item$.pipe(withDeadline({ ms: 5, last: 'L' }))).toBe(expected);
      expectSubscriptions(item$.subscriptions).toBe(subscribed);
    })(),
  );

  it(
    'lets its source and its clock go when nobody listens',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-a-b-c');
      expectObservable(item$.pipe(withDeadline({ ms: 5, last: 'L' })), '--!').toBe('-a');
      expectSubscriptions(item$.subscriptions).toBe('^-!');
    }),
  );
});
