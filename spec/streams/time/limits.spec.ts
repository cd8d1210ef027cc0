import { delay, map, merge, NEVER, type Observable, of, take, timeout, timer } from 'rxjs';
import { noBackpressure } from '../../../src/streams/backpressure';
import {
  completeWithin,
  failIfLate,
  firstWithin,
  inputFirst,
  type PausableTimerDeps,
  pausableTimer,
  timeUnpaused,
  watchdog,
  withDeadline,
} from '../../../src/streams/time/limits';
import { marbles } from '../../support/marbles';
import { clockMs, jumpTimeOfDay, TIMES_OF_DAY } from '../../support/timeOfDay';

describe('inputFirst', () => {
  it(
    'lets what comes in the same instant come first, also through further steps, though the timer was started before',
    marbles(({ cold, expectObservable }) => {
      const in$ = cold('   ---a');
      const expected = '   ---(ao|)';
      expectObservable(merge(timer(3, inputFirst), in$.pipe(delay(0), delay(0))).pipe(take(2))).toBe(expected, {
        a: 'a',
        o: 0,
      });
    }),
  );

  it.each([
    ['passes an answer that comes in the last instant', '---a|', '   ---a|'],
    ['is over when nothing has come                  ', '----a|', '  ---(L|)'],
  ])('%s', (_, answer, expected) =>
    marbles(({ cold, expectObservable }) => {
      const limit = timeout<string, Observable<string>>({ first: 3, scheduler: inputFirst, with: () => of('L') });
      expectObservable(cold(answer).pipe(limit)).toBe(expected);
    })(),
  );

  it.each([0, 1, 250, 10_000, 90_061, 86_400_000])('takes %d ms, to the ms', (ms) =>
    marbles(({ expectObservable }) => {
      expectObservable(timer(ms, inputFirst)).toBe(ms === 0 ? '(o|)' : `${ms}ms (o|)`, { o: 0 });
    })(),
  );

  it('counts a standstill, in which no timer ran, for one part', () => {
    jest.useFakeTimers();
    const seen: number[] = [];
    timer(10_000, inputFirst).subscribe((value) => seen.push(value));
    jest.runOnlyPendingTimers(); // whatever is due runs once, as after 15 s of Ctrl-Z
    jest.advanceTimersByTime(8_900);
    expect(seen).toEqual([]);
    jest.advanceTimersByTime(200);
    jest.useRealTimers();
    expect(seen).toEqual([0]);
  });

  it('leaves no timer behind', () => {
    jest.useFakeTimers();
    const subscription = timer(10_000, inputFirst).subscribe();
    jest.advanceTimersByTime(1_500);
    subscription.unsubscribe();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});

describe('withDeadline', () => {
  it.each([
    ['ends when the time is over', '           -a-b--c-d', '-a-b-(L|)', '^----!'],
    ['keeps the time of a source that ends', ' -a|', '     -a---(L|)', '^-!'],
    ['errors with its source', '               -a#', '     -a#', '     ^-!'],
    ['waits for a source that waits', '        -------', ' -----(L|)', '^----!'],
  ])('%s', (_, source, expected, subscribed) =>
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot(source);
      expectObservable(item$.pipe(withDeadline({ due$: timer(5), last: 'L' }))).toBe(expected);
      expectSubscriptions(item$.subscriptions).toBe(subscribed);
    })(),
  );

  it(
    'lets its source and its clock go when nobody listens',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-a-b-c');
      expectObservable(item$.pipe(withDeadline({ due$: timer(5), last: 'L' })), '--!').toBe('-a');
      expectSubscriptions(item$.subscriptions).toBe('^-!');
    }),
  );
});

const late = new Error('late');

const within = <T>(ms: number) => completeWithin<T>({ ms, toError: () => late });

describe('completeWithin', () => {
  it(
    'errors when the source goes on for too long, however much it emits',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const drip$ = hot(' -a-b-c-d');
      expectObservable(drip$.pipe(within(6))).toBe('-a-b-c#', undefined, late);
      expectSubscriptions(drip$.subscriptions).toBe('^-----!');
      expectObservable(hot('---').pipe(within(5))).toBe('-----#', undefined, late);
    }),
  );

  it(
    'leaves a source alone that ends in time, or has no limit',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('-a-b|').pipe(within(6))).toBe('-a-b|');
      expectObservable(cold('|').pipe(within(6))).toBe('|');
      expectObservable(cold('-a#').pipe(within(6))).toBe('-a#');
      expectObservable(cold('-a 9s b|').pipe(within(0))).toBe('-a 9s b|');
    }),
  );

  it(
    'stops its source and its clock when nobody listens',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a-b');
      expectObservable(source$.pipe(within(6)), '--!').toBe('-a');
      expectSubscriptions(source$.subscriptions).toBe('^-!');
    }),
  );

  it(
    'passes a value that is undefined',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('-u|', { u: undefined }).pipe(within(6))).toBe('-u|', { u: undefined });
    }),
  );
});

const toLate = () => new Error('late');

const toFailure = (reason: unknown) => new Error(`failed: ${reason}`);

describe('failIfLate', () => {
  it.each([
    ['a source that never emits', '-----', '---#'],
    ['a source that emits too late', '----a|', '---#'],
    ['nothing of a source that emits in time, however long it goes on', '--a------b|', '--a------b|'],
    ['nothing of a source that ends in time', '--|', '--|'],
    ['nothing of a source that fails in time', '--#', '--#'],
  ])('ends %s', (_, source, expected) =>
    marbles(({ cold, expectObservable }) => {
      const error = expected.indexOf('#') === 3 ? new Error('late') : 'error';
      expectObservable(cold(source).pipe(failIfLate(3, () => new Error('late')))).toBe(expected, undefined, error);
    })(),
  );

  it(
    'unsubscribes from the source',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('----a|');
      expectObservable(source$.pipe(failIfLate(3, () => new Error('late'))), '-^!').toBe('---');
      expectSubscriptions(source$.subscriptions).toBe('-^!');
    }),
  );
});

describe('firstWithin', () => {
  it.each([
    ['passes a source that begins in time', '  --a------b-|', 3, '--a------b-|', '^----------!'],
    ['errors before a source that begins late', '----a-|', 3, '     ---#', '       ^--!'],
    ['passes an end without an item', '        -|', 3, '          -|', '         ^!'],
    ['waits for ever where it may', '          ----------a|', 0, '----------a|', '^----------!'],
  ])('%s', (_, source, ms, expected, subscribed) =>
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const item$ = cold(source);
      expectObservable(item$.pipe(firstWithin({ ms, toLate, toFailure }))).toBe(expected, undefined, toLate());
      expectSubscriptions(item$.subscriptions).toBe(subscribed);
    })(),
  );

  it.each(['--#', '-a----#'])('errors with what it makes of the error of its source: %s', (source) =>
    marbles(({ cold, expectObservable }) => {
      const passed$ = cold(source).pipe(firstWithin({ ms: 3, toLate, toFailure }));
      expectObservable(passed$).toBe(source, undefined, new Error('failed: error'));
    })(),
  );

  it(
    'stops its source and its timer when nobody listens',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const item$ = cold('----a');
      expectObservable(item$.pipe(firstWithin({ ms: 3, toLate, toFailure })), '-^!').toBe('---');
      expectSubscriptions(item$.subscriptions).toBe('-^!');
    }),
  );
});

/** Returns these times, then throws. */
const lookWith = (...times: number[]) => {
  const left = [...times];
  return () => {
    const ms = left.shift();
    if (ms === undefined) throw 'error';
    return ms;
  };
};

describe('watchdog', () => {
  it.each([
    ['errors with what a look throws', '          -a-b-c-d', [4, 2], '-a-b-c#', '^-----!'],
    ['looks first when it is subscribed', '       -a-b', [] as number[], '#', ''],
    ['looks no more behind the end', '            -a|', [4], '    -a|', '^-!'],
    ['looks no more behind an error', '           -a#', [4], '    -a#', '^-!'],
  ])('%s', (_, source, times, expected, subscribed) =>
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot(source);
      expectObservable(item$.pipe(watchdog({ look: lookWith(...times), note: () => {} }))).toBe(expected);
      expectSubscriptions(item$.subscriptions).toBe(subscribed === '' ? [] : subscribed);
    })(),
  );

  it(
    'looks no more when nobody listens',
    marbles(({ hot, expectObservable, flush }) => {
      let looks = 0;
      const look = () => {
        looks += 1;
        return 2;
      };
      expectObservable(hot('-a-b-c-d-e').pipe(watchdog({ look, note: () => {} })), '-----!').toBe('-a-b-');
      flush();
      expect(looks).toBe(3);
    }),
  );

  it(
    'notes each item before it passes it',
    marbles(({ hot, expectObservable }) => {
      let noted = '';
      const note = (item: string) => {
        noted += item;
      };
      const noted$ = hot('-a-b-|').pipe(
        watchdog({ look: () => 9, note }),
        map(() => noted),
      );
      expectObservable(noted$).toBe('-a-b-|', { a: 'a', b: 'ab' });
    }),
  );
});

describe.each(TIMES_OF_DAY)('pausableTimer, while the time of day %s', (_, byMs) => {
  const t = 0;
  afterEach(() => jest.restoreAllMocks());

  beforeEach(() => jumpTimeOfDay(byMs));

  it.each<[string, string, string, string]>([
    ['is a timer where nothing is ever full', 'a-a-a----', '---------', '-----(t|)'],
    [
      'stands still from an element that finds the queue full until the drain',
      'a--b-----',
      '------d--',
      '--------(t|)',
    ],
    ['stands still twice', 'ab----b-----', '----d----d--', '-----------(t|)'],
    ['does not stand still for a queue that is full while the source is silent', 'a--------', '------d--', '-----(t|)'],
    ['counts on after a drain where the source is silent', 'b--------', '--d------', '-------(t|)'],
    ['waits for a drain that does not come', 'a-b-----------', '--------------', '--------------'],
    ['counts on after the end of its source', '-|', '---------', '-----(t|)'],
  ])('%s', (_, source, drain, out) =>
    marbles(({ hot, expectObservable }) => {
      const full = { now: false };
      const source$ = hot(source);
      const drain$ = hot(drain);
      const deps: PausableTimerDeps = { isFull: () => full.now, drain$, clockMs: () => clockMs() + 1_000 };
      source$.subscribe((letter) => {
        full.now = letter === 'b';
      });
      expectObservable(source$.pipe(pausableTimer(deps, 5))).toBe(out, { t });
    })(),
  );

  it(
    'counts a standstill of the process for a quarter of its time',
    marbles(({ hot, expectObservable }) => {
      const source$ = hot('a---b-----');
      const drain$ = hot(' ------d---');
      const expected = '   -------(t|)'; // 4 of 5 until b, for the clock jumps within one part; 1 after the drain
      const stoodMs = () => (clockMs() >= 2 ? 60_000 : 0);
      const full = { now: false };
      source$.subscribe((letter) => {
        full.now = letter === 'b';
      });
      const deps: PausableTimerDeps = { isFull: () => full.now, drain$, clockMs: () => clockMs() + stoodMs() };
      expectObservable(source$.pipe(pausableTimer(deps, 5))).toBe(expected, { t });
    }),
  );

  it(
    'stands still while its source is true',
    marbles(({ hot, expectObservable }) => {
      const isPaused$ = hot('--t-t--f----', { t: true, f: false });
      expectObservable(isPaused$.pipe(timeUnpaused({ clockMs }, 5))).toBe('----------(x|)', { x: 0 });
    }),
  );

  it(
    'passes on an error of its source, and cuts a time that no timer can wait',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('--#').pipe(pausableTimer({ ...noBackpressure, clockMs }, 5))).toBe('--#');
      expectObservable(
        NEVER.pipe(pausableTimer({ ...noBackpressure, clockMs }, Number.POSITIVE_INFINITY)),
        '9s !',
      ).toBe('----');
    }),
  );

  it(
    'leaves source and drain with its subscriber, and when it has emitted',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const [source$, drain$] = [hot('a--'), hot('---')];
      const deps: PausableTimerDeps = { isFull: () => false, drain$, clockMs };
      expectObservable(source$.pipe(pausableTimer(deps, 5)), '---!').toBe('----');
      expectObservable(source$.pipe(pausableTimer(deps, 2))).toBe('--(t|)', { t });
      for (const { subscriptions } of [source$, drain$]) expectSubscriptions(subscriptions).toBe(['^--!', '^-!']);
    }),
  );
});
