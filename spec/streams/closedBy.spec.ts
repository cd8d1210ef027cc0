import { closedBy } from '../../src/streams/closedBy';
import { marbles } from '../support/marbles';

describe('closedBy', () => {
  it(
    'completes when the close has',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const close = cold('--|');
      const item$ = hot('  a-b-|');
      const expected = '   a-b---|';
      expectObservable(item$.pipe(closedBy(() => close as never))).toBe(expected);
      expectSubscriptions(close.subscriptions).toBe('----^-!');
    }),
  );

  it(
    'closes before an error, and errors with the close',
    marbles(({ cold, hot, expectObservable }) => {
      expectObservable(hot('a-#').pipe(closedBy(() => cold('--|') as never))).toBe('a---#');
      expectObservable(hot('a-|').pipe(closedBy(() => cold('-#') as never))).toBe('a--#');
    }),
  );

  it(
    'does not close an empty or endless source early, nor one that is unsubscribed',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      expectObservable(hot('|').pipe(closedBy(() => cold('-|') as never))).toBe('-|');
      const close = cold('--|');
      expectObservable(hot('a---').pipe(closedBy(() => close as never)), '--!').toBe('a');
      expectSubscriptions(close.subscriptions).toBe([]);
    }),
  );
});
