import { NEVER, Subject } from 'rxjs';
import { endProcesses } from '../../../src/io/processes/groupLife';
import { marbles } from '../../support/marbles';

describe('endProcesses', () => {
  it.each([
    ['completes when no process is left', '----|', '----|'],
    ['completes when the time is over', '-', '-----|'],
    ['completes at once where there are none', '|', '|'],
  ])('%s', (_, none, expected) =>
    marbles(({ cold, expectObservable }) => {
      const none$ = cold<never>(none);
      expectObservable(endProcesses({ over$: new Subject(), none$, waitMs: 5 })).toBe(expected);
    })(),
  );

  it(
    'ends what is connected when it is subscribed to, and not before',
    marbles(({ hot, expectObservable, flush }) => {
      const over$ = new Subject<void>();
      const seen: string[] = [];
      over$.subscribe(() => seen.push('over'));
      const end$ = endProcesses({ over$, none$: NEVER, waitMs: 5 });
      hot('--a').subscribe(() => {
        expect(seen).toEqual([]);
        end$.subscribe();
        expect(seen).toEqual(['over']);
      });
      expectObservable(hot('---|')).toBe('---|');
      flush();
      expect(seen).toEqual(['over']);
    }),
  );
});
