import { map, merge, type Observable, Subject, timer } from 'rxjs';
import { releaseUnused, threadUse, type Unused } from '../../../src/agent/turns/releaseUnused';
import { marbles } from '../../support/marbles';
import { clockMs, jumpTimeOfDay, TIMES_OF_DAY } from '../../support/timeOfDay';

/** Calls on the threads a, b, c that end at once; emits the threads that are released. */
const releasing = (most: number) => (call$: Observable<string>) => {
  const calls = threadUse<string>();
  const released$ = new Subject<string>();
  const unused$ = call$.pipe(
    map((thread) => {
      calls.begin(thread, thread);
      return calls.end(thread) as Unused<string>;
    }),
  );
  const release = (thread: string) => released$.next(thread);
  return merge(released$, unused$.pipe(releaseUnused({ afterMs: 3, most, clockMs, release }, calls)));
};

afterEach(() => jest.restoreAllMocks());

describe.each(TIMES_OF_DAY)('releaseUnused, while the time of day %s', (_, byMs) => {
  beforeEach(() => jumpTimeOfDay(byMs));

  it.each([
    ['releases a thread when its time is over', 3, 'a-b', '---a-b'],
    ['keeps a thread that is used again, from then on', 3, 'a-a', '-----a'],
    ['releases the longest unused thread where there are too many', 2, 'abc', '--a-bc'],
    ['releases each at its own time', 3, 'ab-c', '---ab-c'],
    ['goes on after all were released', 3, 'a----b', '---a----b'],
    ['waits for the next where one is used again', 3, 'ab-a', '----b-a'],
    ['releases nothing where no thread was used', 2, '----', '------'],
    ['errors with its source', 2, '-#', '-#'],
  ])('%s', (_, most, given, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(given).pipe(releasing(most))).toBe(expected);
    })(),
  );

  it(
    'waits as it is given',
    marbles(({ hot, expectObservable }) => {
      const released$ = new Subject<string>();
      const calls = { unused: () => [], forget: () => {} };
      const release = (thread: string) => released$.next(thread);
      const after = (ms: number) => timer(ms + 2);
      const used$ = hot('x', { x: { thread: 'a', isUnused: () => true } });
      const deps = { afterMs: 3, most: 3, clockMs, after, release };
      expectObservable(merge(released$, used$.pipe(releaseUnused(deps, calls)))).toBe('-----a');
    }),
  );

  it(
    'has one timer at a time for all threads',
    marbles(({ hot, expectObservable, flush }) => {
      const waits: number[] = [];
      const after = (ms: number) => {
        waits.push(ms);
        return timer(ms);
      };
      const unusedOf = (thread: string): Unused<string> => ({ thread, isUnused: () => true });
      const deps = { afterMs: 3, most: 3, clockMs, after, release: () => {} };
      const used$ = hot('ab', { a: unusedOf('a'), b: unusedOf('b') });
      const calls = { unused: (): string[] => [], forget: () => {} };
      expectObservable(used$.pipe(releaseUnused(deps, calls))).toBe('-');
      flush();
      expect(waits).toEqual([3, 1]);
    }),
  );

  it(
    'has one timer per thread, however often it is used',
    marbles(({ hot, expectObservable, flush }) => {
      const asked: string[] = [];
      const unused = (name: string): Unused<string> => ({
        thread: 'a',
        isUnused: () => {
          asked.push(name);
          return true;
        },
      });
      const released: string[] = [];
      const deps = { afterMs: 3, most: 3, clockMs, release: (thread: string) => void released.push(thread) };
      const calls = { unused: () => [], forget: () => {} };
      const used$ = hot('x-y-z', { x: unused('first'), y: unused('second'), z: unused('third') });
      expectObservable(used$.pipe(releaseUnused(deps, calls))).toBe('-');
      flush();
      expect({ asked, released }).toEqual({ asked: ['third'], released: ['a'] });
    }),
  );
});

describe('threadUse', () => {
  it('knows the thread of a call until the call ends', () => {
    const calls = threadUse<string>();
    calls.begin('a', 'T');
    expect(calls.threadOf('a')).toBe('T');
    calls.end('a');
    expect(calls.threadOf('a')).toBeUndefined();
    expect(calls.end('a')).toBeUndefined();
  });

  it('finds that a thread is unused when its last call ends, until the next begins', () => {
    const calls = threadUse<string>();
    for (const callId of ['a', 'b']) calls.begin(callId, 'T');
    expect(calls.end('a')).toBeUndefined();
    const unused = calls.end('b');
    expect([unused?.thread, unused?.isUnused()]).toEqual(['T', true]);
    calls.begin('c', 'T');
    calls.end('c');
    expect(unused?.isUnused()).toBe(false);
  });

  it('lists the unused threads, the longest unused first, less those that are forgotten', () => {
    const calls = threadUse<string>();
    for (const thread of ['T', 'U', 'V', 'T']) {
      calls.begin(thread, thread);
      calls.end(thread);
    }
    expect([...calls.unused()]).toEqual(['U', 'V', 'T']);
    calls.forget('V');
    expect([...calls.unused()]).toEqual(['U', 'T']);
  });
});
