import { merge, type Observable, tap } from 'rxjs';
import { backgroundTasks } from '../../src/app/backgroundTasks';
import { marbles } from '../support/marbles';

describe('backgroundTasks', () => {
  it.each([
    ['completes when the service is over, where there are none', '---x', {}, '---|'],
    ['waits for the tasks that run', '          ---x', { a: '-----|' }, '------|'],
    ['waits no longer than its limit', '        ---x', { a: '--------------|' }, '--------|'],
    ['takes no task after the end', '           x', { a: '---|' }, '|'],
    ['goes on while the service does', '        -----', { a: '-|' }, '-----'],
  ])('%s', (_, over, tasks: { a?: string }, expected) =>
    marbles(({ hot, cold, expectObservable }) => {
      const { background, tasks$ } = backgroundTasks(hot(over), 5);
      const given$ = hot<'a'>(tasks.a === undefined ? '-' : '-a').pipe(
        tap(() => background(cold(tasks.a ?? '') as Observable<never>)),
      );
      const given = given$.subscribe();
      expectObservable(merge(tasks$)).toBe(expected);
      expectObservable(given$, '^---------!').toBe(tasks.a === undefined ? '-' : '-a');
      given.unsubscribe();
    })(),
  );
});
