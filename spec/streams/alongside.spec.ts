import { alongside } from '../../src/streams/alongside';
import { marbles } from '../support/marbles';

describe('alongside', () => {
  it.each([
    ['lets the work go at the end of the source', ' -a-b-|', '--------', '-a-b-|', '^----!', '^----!'],
    ['goes on when the work is done', '             -a-b-|', '--|', '     -a-b-|', '^----!', '^-!'],
    ['errors with the work', '                      -a-b-|', '--#', '     -a#', '   ^-!', '   ^-!'],
    ['errors with the source', '                    -a#', '   ------', '  -a#', '   ^-!', '   ^-!'],
    ['ends where the work fails at once', '-a-|', '#', '#', '(^!)', '(^!)'],
  ])('%s', (_, source, work, expected, subscribed, workSubscribed) =>
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot(source);
      const work$ = cold<never>(work);
      expectObservable(item$.pipe(alongside(work$))).toBe(expected);
      expectSubscriptions(item$.subscriptions).toBe(subscribed);
      expectSubscriptions(work$.subscriptions).toBe(workSubscribed);
    })(),
  );

  it(
    'lets both go when nobody listens',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-a-b-|');
      const work$ = cold<never>('------');
      expectObservable(item$.pipe(alongside(work$)), '--!').toBe('-a');
      expectSubscriptions(item$.subscriptions).toBe('^-!');
      expectSubscriptions(work$.subscriptions).toBe('^-!');
    }),
  );
});
