import { backoffMs, delayUntil, doublingWait, MAX_TIMER_MS, onceIdle, toTimerMs } from '../../../src/streams/time/wait';
import { marbles } from '../../support/marbles';
import { jumpTimeOfDay, TIMES_OF_DAY } from '../../support/timeOfDay';

describe('backoffMs', () => {
  it('doubles from 200 ms and strays by a tenth', () => {
    expect([1, 2, 3, 4].map((n) => backoffMs(n, () => 0.5))).toEqual([200, 400, 800, 1600]);
    expect([backoffMs(1, () => 0), backoffMs(1, () => 1)]).toEqual([180, 220.00000000000003]);
  });
});

describe('doublingWait', () => {
  it('doubles from 100 ms to 2 s', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 2_000].map(doublingWait)).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
  });
});

describe('toTimerMs', () => {
  it.each([
    [0, 0],
    [1_000, 1_000],
    [2_147_483_647, 2_147_483_647],
    [2_147_483_648, 2_147_483_647],
    [Number.POSITIVE_INFINITY, MAX_TIMER_MS],
  ])('cuts %d to what a timer can wait', (ms, waitMs) => {
    expect(toTimerMs(ms)).toBe(waitMs);
  });
});

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
    'leaves both when it is unsubscribed, and begins again for each subscriber',
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

describe.each(TIMES_OF_DAY)('onceIdle, while the time of day %s', (_, byMs) => {
  afterEach(() => jest.restoreAllMocks());

  beforeEach(() => jumpTimeOfDay(byMs));

  it.each([
    // in                out
    [' a-b--------c--|', '------(b|)'],
    [' a--------------', '----(a|)'],
    [' a-b-c-d-e-|    ', '----------|'],
    [' a---b---------|', '--------(b|)'],
    [' a------|       ', '----(a|)'],
    [' a----|         ', '----(a|)'],
    [' a--|           ', '---|'],
    [' --#            ', '--#'],
    [' ---------|     ', '---------|'],
  ])('%s is %s', (input, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(input).pipe(onceIdle(4))).toBe(expected);
    })(),
  );

  it('emits up to a quarter later, when it looks', () =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('a--b-----------|').pipe(onceIdle(8))).toBe('------------(b|)');
    })());
});
