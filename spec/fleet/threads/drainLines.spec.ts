import { ignoreElements, map, NEVER, type Observable, Subject, tap } from 'rxjs';
import { drainLines } from '../../../src/fleet/threads/natsRecord';
import { marbles } from '../../support/marbles';

/** Lines come with the source; appends take three frames. Emits what is appended, when its append begins. */
const drained = (line$: Observable<string>, end$: Observable<unknown>, took: Observable<never>) => {
  const appended$ = new Subject<string>();
  let waiting = '';
  const drain$ = line$.pipe(
    tap((line) => {
      waiting += line;
    }),
    drainLines({
      end$,
      take: () => {
        const text = waiting;
        waiting = '';
        return text;
      },
      append: (text) => {
        appended$.next(text);
        return took;
      },
    }),
  );
  return { drain$, appended$ };
};

describe('drainLines', () => {
  it(
    'appends what comes during an append together',
    marbles(({ hot, cold, expectObservable }) => {
      const { drain$, appended$ } = drained(hot('-a-bc----d--'), hot('-----------x'), cold('---|'));
      expectObservable(appended$.pipe(map((text) => ({ text })))).toBe('-a--b----d--', {
        a: { text: 'a' },
        b: { text: 'bc' },
        d: { text: 'd' },
      });
      expectObservable(drain$).toBe('                                       ------------|');
    }),
  );

  it(
    'appends what waits at the end',
    marbles(({ hot, cold, expectObservable }) => {
      const { drain$, appended$ } = drained(hot('-a-b'), hot('---x'), cold('---|'));
      expectObservable(appended$).toBe('         -a--b');
      expectObservable(drain$).toBe('            -------|');
    }),
  );

  it(
    'completes at the end where nothing waits',
    marbles(({ hot, expectObservable }) => {
      expectObservable(drained(NEVER, hot('--x'), NEVER).drain$).toBe('--|');
    }),
  );

  it(
    'errors with an append, and stops with its subscriber',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      expectObservable(drained(hot('-a'), NEVER, cold('--#').pipe(ignoreElements())).drain$).toBe('---#');
      const long$ = cold<never>('--------|');
      expectObservable(drained(hot('-a'), NEVER, long$).drain$, '^---!').toBe('-');
      expectSubscriptions(long$.subscriptions).toBe('           -^--!');
    }),
  );
});
