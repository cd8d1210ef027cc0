import { delayUntil } from '../../../src/streams/time/delayUntil';
import { marbles } from '../../support/marbles';

describe('delayUntil', () => {
  it(
    'emits what came before the signal with it, and then each value as it comes',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const signal$ = hot('----s--s');
      const in$ = cold('   a-b-----c-|');
      const expected = '   ----(ab)c-|';
      expectObservable(in$.pipe(delayUntil(signal$))).toBe(expected);
      expectSubscriptions(signal$.subscriptions).toBe('^---!');
    }),
  );

  it(
    'subscribes to a signal that is there once',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const signal$ = cold('(s|)');
      expectObservable(cold('-a-b-|').pipe(delayUntil(signal$))).toBe('-a-b-|');
      expectSubscriptions(signal$.subscriptions).toBe('-(^!)');
    }),
  );

  it(
    'emits nothing without a signal, and completes without a value',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('-a-|').pipe(delayUntil(cold('-')))).toBe('-');
      expectObservable(cold('---|').pipe(delayUntil(cold('-')))).toBe('---|');
    }),
  );

  it(
    'errors with the source, and with the signal once a value waits',
    marbles(({ cold, hot, expectObservable }) => {
      expectObservable(cold('-a-#').pipe(delayUntil(hot('--s')))).toBe('--a#');
      expectObservable(cold('-a').pipe(delayUntil(hot('---#')))).toBe('---#');
      expectObservable(cold('---|').pipe(delayUntil(hot('-#')))).toBe('---|');
    }),
  );

  it(
    'leaves both when it is unsubscribed, and begins anew for each subscriber',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const signal$ = cold('----s');
      const in$ = cold('-a');
      const behind$ = in$.pipe(delayUntil(signal$));
      expectObservable(behind$, '--!').toBe('');
      expectObservable(behind$, '---^').toBe('--------a');
      expectSubscriptions(signal$.subscriptions).toBe(['-^!', '----^---!']);
    }),
  );
});
