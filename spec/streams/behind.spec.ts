import { behind } from '../../src/streams';
import { marbles } from '../support/marbles';

describe('behind', () => {
  it(
    'emits what came before the signal with it, and then each value as it comes',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const signal$ = hot('----s--s');
      const in$ = cold('   a-b-----c-|');
      const expected = '   ----(ab)c-|';
      expectObservable(in$.pipe(behind(signal$))).toBe(expected);
      expectSubscriptions(signal$.subscriptions).toBe('^---!');
    }),
  );

  it(
    'subscribes to a signal that is there once',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const signal$ = cold('(s|)');
      expectObservable(cold('-a-b-|').pipe(behind(signal$))).toBe('-a-b-|');
      expectSubscriptions(signal$.subscriptions).toBe('-(^!)');
    }),
  );

  it(
    'emits nothing without a signal, and completes without a value',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('-a-|').pipe(behind(cold('-')))).toBe('-');
      expectObservable(cold('---|').pipe(behind(cold('-')))).toBe('---|');
    }),
  );

  it(
    'errors with the source, and with the signal once a value waits',
    marbles(({ cold, hot, expectObservable }) => {
      expectObservable(cold('-a-#').pipe(behind(hot('--s')))).toBe('--a#');
      expectObservable(cold('-a').pipe(behind(hot('---#')))).toBe('---#');
      expectObservable(cold('---|').pipe(behind(hot('-#')))).toBe('---|');
    }),
  );

  it(
    'leaves both when it is unsubscribed, and begins anew for each subscriber',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const signal$ = cold('----s');
      const in$ = cold('-a');
      const behind$ = in$.pipe(behind(signal$));
      expectObservable(behind$, '--!').toBe('');
      expectObservable(behind$, '---^').toBe('--------a');
      expectSubscriptions(signal$.subscriptions).toBe(['-^!', '----^---!']);
    }),
  );
});
