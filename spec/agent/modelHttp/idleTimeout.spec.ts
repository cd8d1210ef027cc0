import { asyncScheduler, filter } from 'rxjs';
import { idleFailure } from '../../../src/agent/modelHttp/failures';
import { idleTimeout } from '../../../src/agent/modelHttp/readBody';
import { marbles } from '../../support/marbles';

const watch = (idleMs: number, isFull = () => false) =>
  idleTimeout<string, string>(
    { idleMs, isFull, clockMs: () => asyncScheduler.now() },
    filter((value) => value !== 'c'),
  );

describe('idleTimeout', () => {
  it(
    'errors when nothing comes for too long, at first or later',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const text$ = hot('-a 298ms b 400ms c');
      expectObservable(text$.pipe(watch(300))).toBe('-a 298ms b 299ms #', undefined, idleFailure());
      expectSubscriptions(text$.subscriptions).toBe('^ 599ms !');
      expectObservable(hot('---').pipe(watch(300))).toBe('300ms #', undefined, idleFailure());
    }),
  );

  it(
    'gives values of which nothing is made three times as long',
    marbles(({ hot, expectObservable }) => {
      const comments = '-a 198ms c 199ms c 199ms c 199ms c 199ms c 199ms c';
      expectObservable(hot(comments).pipe(watch(300))).toBe('-a 899ms #', undefined, idleFailure());
      expectObservable(hot('-a 198ms c').pipe(watch(300))).toBe('-a 498ms #', undefined, idleFailure());
    }),
  );

  it(
    'lets the clock stand while we are the slow ones',
    marbles(({ hot, expectObservable }) => {
      const asked = { times: 0 }; // at once, and every 50 ms
      const isFull = () => {
        asked.times += 1;
        return asked.times <= 21;
      };
      expectObservable(hot('-a').pipe(watch(100, isFull))).toBe('-a 1098ms #', undefined, idleFailure());
    }),
  );

  it(
    'ends and fails with its source, and waits for ever when configured so',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      expectObservable(hot('-a-|').pipe(watch(300))).toBe('-a-|');
      expectObservable(hot('-|').pipe(watch(300))).toBe('-|');
      expectObservable(hot('-a-#').pipe(watch(300))).toBe('-a-#');
      const text$ = cold('-a 900s b|');
      expectObservable(text$.pipe(watch(0))).toBe('-a 900s b|');
      expectSubscriptions(text$.subscriptions).toBe('^ 900001ms -!');
    }),
  );

  it(
    'stops when nobody listens',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const text$ = hot('-a-b');
      expectObservable(text$.pipe(watch(300)), '--!').toBe('-a');
      expectSubscriptions(text$.subscriptions).toBe('^-!');
    }),
  );
});
