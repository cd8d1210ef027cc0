import { concat, EMPTY, type Observable, of, Subject, takeUntil, timer } from 'rxjs';
import { ignoreElements } from 'rxjs/operators';
import { runInQueue } from '../../src/streams';
import { marbles } from '../support/marbles';

/** An item is told when it begins and takes four frames; `taken` are the items that were stopped. */
const turns = (cancelled$: Observable<string>, run?: (item: string) => Observable<string>) =>
  runInQueue<string, string>({
    keyOf: (item) => item,
    cancelled$,
    run: (item, stop$) =>
      run?.(item) ?? concat(of(item.toUpperCase()), timer(4).pipe(ignoreElements(), takeUntil(stop$))),
    withdrawn: (item) => `${item}!`,
  });
const values = { A: 'A', B: 'B', C: 'C', x: 'b!', y: 'c!' };

describe('runInQueue', () => {
  it.each([
    ['runs one after another', 'abc|', '----|', 'A---B---C---|'],
    ['drops one that is taken back while it waits', 'abc|', '--b-|', 'A-x-C---|'],
    ['stops one that is taken back while it runs', 'abc|', '---a|', 'A--B---C---|'],
    ['passes over keys that are over or were never there', 'a|', '-q----a--|', 'A--------|'],
    ['waits for both sources', 'a|', '-', 'A-----'],
    ['runs an item that comes when nothing runs', 'a------b|', '--------|', 'A------B---|'],
  ])('%s', (_, item, cancelled, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(item).pipe(turns(hot(cancelled)))).toBe(expected, values);
    })(),
  );

  it('passes over thousands that were taken back while they waited', () => {
    const [item$, cancelled$, first$] = [new Subject<string>(), new Subject<string>(), new Subject<string>()];
    const out: string[] = [];
    item$.pipe(turns(cancelled$, () => first$)).subscribe((told) => out.push(told));
    const all = Array.from({ length: 20_000 }, (_, i) => String(i));
    for (const item of ['first', ...all]) item$.next(item);
    for (const item of all) cancelled$.next(item);
    first$.next('done');
    first$.complete();
    expect(out).toEqual([...all.map((item) => `${item}!`), 'done']);
  });

  it(
    'errors with an item',
    marbles(({ cold, hot, expectObservable }) => {
      const fails = (item: string) => (item === 'b' ? cold<string>('-#') : EMPTY);
      expectObservable(hot('a-b-c').pipe(turns(hot('-'), fails))).toBe('---#');
    }),
  );
});
