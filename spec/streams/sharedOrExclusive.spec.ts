import {
  concat,
  count,
  defer,
  delay,
  finalize,
  firstValueFrom,
  from,
  ignoreElements,
  map,
  mergeMap,
  type Observable,
  of,
  timer,
} from 'rxjs';
import { type Prepared, sharedOrExclusive } from '../../src/streams/sharedOrExclusive';
import { marbles } from '../support/marbles';

/** Small letters are shared, capitals exclusive; each emits itself at its beginning and takes three frames. */
const run = (letter: string): Observable<string> => concat(of(letter), timer(3).pipe(ignoreElements()));
const prepare = (letter: string): Observable<Prepared<string>> =>
  of({ access: letter === letter.toLowerCase() ? 'shared' : 'exclusive', run: () => run(letter) });

describe('sharedOrExclusive', () => {
  it.each([
    ['runs shared work side by side', 'abc|', 'abc--|'],
    ['runs exclusive work alone', 'AB|', 'A--B--|'],
    ['lets exclusive work wait for all shared work', 'abC|', 'ab--C--|'],
    ['lets shared work wait for exclusive work', 'Ab----|', 'A--b--|'],
    ['is empty as its source is', '--|', '--|'],
    ['never ends as its source never does', '--', '--'],
    ['errors with its source', 'a-#', 'a-#'],
  ])('%s', (_, given, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(given).pipe(sharedOrExclusive(prepare))).toBe(expected);
    })(),
  );

  it(
    'prepares work when only shared work runs before it',
    marbles(({ hot, expectObservable, flush }) => {
      const running: string[] = [];
      const prepared: string[] = [];
      const counted = (letter: string): Observable<Prepared<string>> =>
        defer(() => {
          prepared.push(`${letter} beside ${running.join('')}`);
          return prepare(letter).pipe(map((ready) => ({ ...ready, run: () => tracked(letter, ready.run) })));
        });
      const tracked = (letter: string, begin: () => Observable<string>) =>
        defer(() => {
          running.push(letter);
          return begin();
        }).pipe(finalize(() => running.splice(running.indexOf(letter), 1)));
      expectObservable(hot('abCd----|').pipe(sharedOrExclusive(counted))).toBe('ab--C--d--|');
      flush();
      expect(prepared).toEqual(['a beside ', 'b beside a', 'C beside ab', 'd beside ']);
    }),
  );

  it(
    'begins work in its order, however long each takes to prepare',
    marbles(({ hot, expectObservable }) => {
      const slowly = (letter: string) => timer(letter === 'a' ? 4 : 1).pipe(mergeMap(() => prepare(letter)));
      expectObservable(hot('ab-----|').pipe(sharedOrExclusive(slowly))).toBe('----ab--|');
    }),
  );

  it(
    'stops all work when it is unsubscribed',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const work$ = cold('-----');
      const shared = () => of<Prepared<string>>({ access: 'shared', run: () => work$ });
      expectObservable(hot('a--').pipe(sharedOrExclusive(shared)), '^--!').toBe('---');
      expectSubscriptions(work$.subscriptions).toBe('^--!');
    }),
  );

  it.each([
    ['exclusive', 'A'],
    ['shared', 'a'],
    ['both', 'Aa'],
  ])('needs no more stack for ten thousand pieces that end at once: %s', async (_, letters) => {
    const at = (letter: string) =>
      ({ access: letter === 'A' ? 'exclusive' : 'shared', run: () => of(letter) }) as const;
    const first: Prepared<string> = { access: 'exclusive', run: () => of('first').pipe(delay(5)) }; // the others wait for it
    const letters$ = from(['first', ...letters.repeat(10_000 / letters.length)]);
    const work$ = letters$.pipe(sharedOrExclusive((letter) => of(letter === 'first' ? first : at(letter))));
    expect(await firstValueFrom(work$.pipe(count()))).toBe(10_001);
  });
});
