import { catchError, type Observable, of, tap } from 'rxjs';
import { renewOnce } from '../../../src/settings/auth/renewOnce';
import { marbles } from '../../support/marbles';

const values = { r: { token: 'renewed' }, c: { token: 'of another process' } };

const TAKEN = { kind: 'taken', holder: {}, path: '/lock' } as Extract<Lock, { kind: 'taken' }>;
type Lock = ReturnType<Parameters<typeof renewOnce>[0]['lock']>;

/** A login whose lock is free, or taken until `free`; `changed` has what another process got. */
const world = (renewed$: Observable<object>, isTaken = false) => {
  const state = { isTaken, renewals: 0, changed: undefined as object | undefined };
  const login$ = renewOnce<object>({
    lock: () => {
      if (state.isTaken) return TAKEN;
      state.isTaken = true;
      return {
        kind: 'locked',
        release: () => {
          state.isTaken = false;
        },
      };
    },
    lockPath: '/lock',
    changed: () => state.changed,
    renew: () => {
      state.renewals += 1;
      return renewed$;
    },
    name: 'the login at h',
  });
  return { state, login$: login$.pipe(catchError(({ message }) => of(message))) };
};

describe('renewOnce', () => {
  it(
    'renews if nobody else does, and gives the lock back when that has ended',
    marbles(({ cold, expectObservable, flush }) => {
      const { state, login$ } = world(cold('--r|', values));
      expectObservable(login$).toBe('     --(r|)', values);
      flush();
      expect(state).toMatchObject({ isTaken: false, renewals: 1 });
    }),
  );

  it(
    'takes what another process has got, and asks nobody',
    marbles(({ cold, expectObservable, flush }) => {
      const { state, login$ } = world(cold('r|', values));
      state.changed = values.c;
      expectObservable(login$).toBe('(c|)', values);
      flush();
      expect(state).toMatchObject({ isTaken: false, renewals: 0 });
    }),
  );

  it(
    'looks ten times a second what a process has got that renews',
    marbles(({ cold, expectObservable, flush }) => {
      const { state, login$ } = world(cold('r|', values), true);
      const other$ = cold('150ms x').pipe(tap(() => Object.assign(state, { changed: values.c })));
      other$.subscribe();
      expectObservable(login$).toBe('200ms (c|)', values);
      flush();
      expect(state.renewals).toBe(0);
    }),
  );

  it(
    'renews itself if that process ended without a result',
    marbles(({ cold, expectObservable, flush }) => {
      const { state, login$ } = world(cold('-r|', values), true);
      cold('50ms x')
        .pipe(tap(() => Object.assign(state, { isTaken: false })))
        .subscribe();
      expectObservable(login$).toBe('101ms (r|)', values);
      flush();
      expect(state).toMatchObject({ isTaken: false, renewals: 1 });
    }),
  );

  it(
    'gives the lock back with an error, and if nobody waits any more',
    marbles(({ cold, expectObservable, flush }) => {
      const failing = world(cold('--#', {}, new Error('refused')));
      expectObservable(failing.login$).toBe('--(e|)', { e: 'refused' });
      const left = world(cold('-----r', values));
      expectObservable(left.login$, '--!').toBe('---');
      flush();
      expect([failing.state.isTaken, left.state.isTaken]).toEqual([false, false]);
    }),
  );

  it(
    'waits a minute at most for a process that renews',
    marbles(({ cold, expectObservable }) => {
      const e = 'another process is renewing the login at h and does not finish; try again';
      expectObservable(world(cold('r|', values), true).login$).toBe('60s (e|)', { e });
    }),
  );
});
