import { dropSeen } from '../../../src/executor/lag/recoverLag';
import { marbles } from '../../support/marbles';

const item = Object.fromEntries([1, 2, 3].map((seq) => [seq, { seq }]));

describe('dropSeen', () => {
  it(
    'passes what has a greater number than all before',
    marbles(({ hot, expectObservable }) => {
      const item$ = hot('  -1-2-2-1-3-(12)|', item);
      const expected = '   -1-2-----3-----|';
      expectObservable(item$.pipe(dropSeen())).toBe(expected, item);
    }),
  );

  it(
    'is never, empty and failed as its source is, and stops with its reader',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      expectObservable(cold('---', item).pipe(dropSeen())).toBe('---');
      expectObservable(cold('--|', item).pipe(dropSeen())).toBe('--|');
      expectObservable(cold('-1#', item).pipe(dropSeen())).toBe('-1#', item);
      const source = hot('-1-2-', item);
      expectObservable(source.pipe(dropSeen()), '--!').toBe('-1-', item);
      expectSubscriptions(source.subscriptions).toBe('^-!');
    }),
  );
});
