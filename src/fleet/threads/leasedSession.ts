/** The periods in which this process has a thread, one after another. */
import {
  catchError,
  concat,
  concatMap,
  defer,
  EMPTY,
  ignoreElements,
  NEVER,
  type Observable,
  type OperatorFunction,
  of,
  ReplaySubject,
  tap,
  throwError,
} from 'rxjs';

export type SessionDeps<P> = {
  /** Has the lease of the thread while the work runs. */
  leased: <T>(run: (place: P) => Observable<T>) => Observable<T>;
  /** Runs until `end$` emits, once the thread is open. */
  work: (place: P, end$: Observable<unknown>) => Observable<never>;
  /** Runs a task that no caller waits for. */
  background: (task$: Observable<never>) => void;
};

/** `resting`: without the lease. `lost`: the last period ended with an error. */
type Phase =
  | { kind: 'resting' }
  | { kind: 'leased'; session$: Observable<unknown>; end$: ReplaySubject<void> }
  | { kind: 'lost'; error: Error };

type LeasedSession<P> = {
  kind: () => Phase['kind'];
  /** Takes the thread and opens it. Emits what `open` emits, completes once released, errors if the thread is lost. */
  begin: <T>(open: (place: P) => Observable<T>) => Observable<T>;
  /** Begins the release; completes when it is done. */
  end: () => Observable<never>;
  /** Errors with what ended the session. */
  lost$: Observable<never>;
};

/**
 * What it does runs in the background, so that it goes on while nobody waits for it. The phase is a variable instead of a scan: `kind` is asked
 * between two calls, and `begin` and `end` are called, not subscribed to.
 */
export const leasedSession = <P>({ leased, work, background }: SessionDeps<P>): LeasedSession<P> => {
  let phase: Phase = { kind: 'resting' };
  const begin = <T>(open: (place: P) => Observable<T>): Observable<T> => {
    const end$ = new ReplaySubject<void>(1); // the wire from the end of a turn to its lines, which may not have begun yet
    const session$ = new ReplaySubject<T>(1); // the wire from the task to those who wait for it
    phase = { kind: 'leased', session$, end$ };
    const settled = (next: Phase) => {
      phase = next;
    };
    background(
      leased((place) => open(place).pipe(concatMap((opened) => concat(of(opened), work(place, end$))))).pipe(
        reported(session$, settled),
      ),
    );
    return session$;
  };
  return { kind: () => phase.kind, begin, end: () => ended(phase), lost$: defer(() => lostOf(phase)) };
};

const ended = (phase: Phase): Observable<never> => {
  if (phase.kind !== 'leased') return EMPTY;
  phase.end$.next();
  return phase.session$.pipe(ignoreElements());
};

const lostOf = (phase: Phase): Observable<never> => {
  if (phase.kind === 'resting') return NEVER;
  return phase.kind === 'leased' ? phase.session$.pipe(ignoreElements()) : throwError(() => phase.error);
};

const reported =
  <T>(session$: ReplaySubject<T>, settled: (next: Phase) => void): OperatorFunction<T, never> =>
  (task$) =>
    task$.pipe(
      tap({
        next: (opened) => session$.next(opened),
        error: (error: Error) => {
          settled({ kind: 'lost', error });
          session$.error(error);
        },
        complete: () => {
          settled({ kind: 'resting' });
          session$.complete();
        },
      }),
      ignoreElements(),
      catchError(() => EMPTY),
    );
