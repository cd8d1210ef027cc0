import { map, merge, tap } from 'rxjs';
import { lineQueue } from '../../../src/fleet/threads/natsRecord';
import { marbles } from '../../support/marbles';

describe('lineQueue', () => {
  it('asks for one append after the current work, whatever is pushed in it', () => {
    const work: (() => void)[] = [];
    const { push, take, flush$ } = lineQueue({ soon: (run) => void work.push(run) });
    const asked: string[] = [];
    flush$.subscribe(() => asked.push(take()));
    push(['a', 'b']);
    push(['c']);
    expect([work.length, asked]).toEqual([1, []]);
    for (const run of work.splice(0)) run();
    push(['d']);
    expect([work.length, asked, take(), take()]).toEqual([1, ['abc'], 'd', '']);
  });

  it(
    'completes when all lines are appended that were pushed before',
    marbles(({ hot, expectObservable }) => {
      const { push, take, saved, allSaved } = lineQueue({ soon: () => {} });
      expectObservable(allSaved()).toBe('|');
      push(['a']);
      const first$ = allSaved();
      take();
      push(['b', 'c']);
      const second$ = allSaved();
      const saved$ = hot('--s---s').pipe(
        tap(() => {
          saved();
          take();
        }),
      );
      expectObservable(merge(saved$.pipe(map(() => 's')))).toBe('--s---s');
      expectObservable(first$).toBe('--|');
      expectObservable(second$).toBe('------|');
    }),
  );
});
