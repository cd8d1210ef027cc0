import { from, map, NEVER, type Observable, of, Subject, throwError, timer } from 'rxjs';
import { mapAtOnce, mapInTurn, scanInTurn } from '../../src/streams/scanInTurn';
import { marbles } from '../support/marbles';

/** Adds letters up: small ones at once, capital ones after three frames. */
const added = scanInTurn<string, string>(
  (text, letter) => (letter < 'a' ? timer(3).pipe(map(() => text + letter)) : text + letter),
  '',
);

const values = { a: 'a', b: 'ab', c: 'abc', x: 'A', y: 'Ab', z: 'Abc', 1: 'AB', 2: 'ABC' };

describe('scanInTurn', () => {
  it.each([
    ['is a scan where nothing waits', 'a-b-c-|', 'a-b-c-|'],
    ['takes what waited one after another', 'Abc|', '---(xyz|)'],
    ['waits for each', 'ABC|', '---x--1--(2|)'],
    ['completes after the last step', 'A|', '---(x|)'],
    ['is empty as its source is', '--|', '--|'],
    ['is never as its source is', '---', '---'],
    ['fails with its source, and drops what waits', 'Abc#', '---#'],
  ])('%s', (_, item, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(item).pipe(added)).toBe(expected, values);
    })(),
  );

  it(
    "emits each state of a step, the last is the next item's",
    marbles(({ hot, cold, expectObservable }) => {
      const step = (state: number, item: string) => (item === 's' ? cold<number>('1-2|', { 1: 1, 2: 2 }) : state + 10);
      expectObservable(hot('st').pipe(scanInTurn(step, 0))).toBe('1-23', { 1: 1, 2: 2, 3: 12 });
    }),
  );

  it(
    'fails with a step that throws or fails',
    marbles(({ hot, expectObservable }) => {
      const throws = (): string => {
        throw 'error';
      };
      expectObservable(hot('a').pipe(scanInTurn(throws, ''))).toBe('#');
      expectObservable(hot('a').pipe(scanInTurn(() => throwError(() => 'error'), ''))).toBe('#');
    }),
  );

  it(
    'lets go of its source and of the step that runs',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const step$ = cold<string>('-----x');
      const item$ = hot('-a-b');
      expectObservable(item$.pipe(scanInTurn(() => step$, '')), '----!').toBe('-----');
      expectSubscriptions(item$.subscriptions).toBe('^---!');
      expectSubscriptions(step$.subscriptions).toBe('-^--!');
    }),
  );

  it('keeps the order of what its reader adds meanwhile', () => {
    const item$ = new Subject<number>();
    const seen: number[] = [];
    item$.pipe(scanInTurn((_: number, item: number) => item, 0)).subscribe((item) => {
      seen.push(item);
      if (item === 1) for (const more of [2, 3]) item$.next(more);
      seen.push(-item);
    });
    item$.next(1);
    expect(seen).toEqual([1, -1, 2, -2, 3, -3]);
  });

  it.each<[string, (item: number) => number | Observable<number>]>([
    ['need not wait', (item) => item],
    ['are done at once', (item) => of(item)],
  ])('takes a hundred thousand that waited and then %s', (_, step) => {
    const first$ = new Subject<number>();
    const out: number[] = [];
    const all = Array.from({ length: 100_000 }, (_, i) => i);
    from(all)
      .pipe(scanInTurn<number, number>((_, item) => (item === 0 ? first$ : step(item)), 0))
      .subscribe((item) => out.push(item));
    first$.next(0);
    first$.complete();
    expect(out).toEqual(all);
  });

  it(
    'maps, as mapInTurn',
    marbles(({ hot, expectObservable }) => {
      const later = (item: string) => (item < 'a' ? timer(3).pipe(map(() => item)) : item);
      expectObservable(hot('aAbc|').pipe(mapInTurn(later))).toBe('a---(Abc|)');
    }),
  );

  it('ends with its reader', () => {
    const subscription = from([1, 2])
      .pipe(scanInTurn<number, number>(() => NEVER, 0))
      .subscribe();
    subscription.unsubscribe();
    expect(subscription.closed).toBe(true);
  });
});

describe('mapAtOnce', () => {
  /** Takes as many frames as the digit, none for 0, and emits it as a text. */
  const taking = (digit: string): Observable<string> =>
    digit === '0' ? of('z') : timer(Number(digit)).pipe(map(() => digit));

  it.each([
    ['begins a few at a time', '345|', '---3-4--(5|)'],
    ['emits in the order in which steps end', '42|', '---2(4|)'],
    ['takes what needs no time as soon as there is room', '3800|', '---(3zz)-(8|)'],
    ['is empty as its source is', '--|', '--|'],
    ['is never as its source is', '---', '---'],
    ['fails with its source, and drops what waits', '345#', '---#'],
  ])('%s', (_, item, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(item).pipe(mapAtOnce(2, taking))).toBe(expected);
    })(),
  );

  it(
    'fails with a step that fails, and stops the others',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const steps = { a: cold<string>('-----'), b: cold<string>('--#') };
      const item$ = hot<'a' | 'b'>('(ab)');
      expectObservable(item$.pipe(mapAtOnce(2, (one) => steps[one]))).toBe('--#');
      expectSubscriptions(steps.a.subscriptions).toBe('^-!');
    }),
  );

  it(
    'lets go of its source and of the steps that run',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const step$ = cold<string>('-----x');
      const item$ = hot('-a-b');
      expectObservable(item$.pipe(mapAtOnce(2, () => step$)), '----!').toBe('-----');
      expectSubscriptions(item$.subscriptions).toBe('^---!');
      expectSubscriptions(step$.subscriptions).toBe(['-^--!', '---^!']);
    }),
  );

  it('drains a long list behind a step that takes time without a recursion', async () => {
    const items = Array.from({ length: 50_000 }, (_, at) => at);
    const seen: number[] = [];
    await new Promise<void>((complete) => {
      from(items)
        .pipe(mapAtOnce(2, (at) => (at === 0 || at === 1 ? timer(0).pipe(map(() => at)) : of(at))))
        .subscribe({ next: (at) => seen.push(at), complete });
    });
    expect(seen).toHaveLength(50_000);
  });
});
