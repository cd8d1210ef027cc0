/** Does something with a thread while this process has its lease, in one period after another. */
import {
  catchError,
  concat,
  concatMap,
  defer,
  EMPTY,
  expand,
  ignoreElements,
  map,
  NEVER,
  type Observable,
  type OperatorFunction,
  of,
  ReplaySubject,
  switchMap,
  takeUntil,
  tap,
  throwError,
  timeout,
  timer,
} from 'rxjs';
import { isNatsFailure, NatsError } from '../../io/nats/natsAddress';
import { muted } from '../../streams/ends';
import { failIfLate, inputFirst } from '../../streams/time/limits';
import { isLeft, isOwn, type Lease, type LeaseDeps, tokenOf, type Written, whilePassing, written } from './lease';

/**
 * Takes the lease, runs the work, renews the lease meanwhile, and removes it before the work completes or errors. Errors with ThreadError
 * if the lease cannot be taken, and stops the work if it is lost: a renewal finds another's, or none succeeded for nine tenths of it.
 * Unsubscribing leaves the lease to its end, or to the next turn of this store, which may take its place.
 *   bucket   c---u---u----x      (c create, u update, x remove)
 *   work      -a----b----|
 *   out       -a----b-----|
 */
export const withLease =
  (deps: LeaseDeps) =>
  <T>(work$: Observable<T>): Observable<T> =>
    takeLease(deps).pipe(
      switchMap((first) => {
        let last: Lease | undefined = first; // removed at the end; none if it is lost
        const renewing$ = of(first).pipe(
          expand((lease) => renewLease(deps, lease)),
          tap({
            next: (lease) => {
              last = lease;
            },
            error: () => {
              last = undefined;
              leave(deps);
            },
          }),
          ignoreElements(),
        );
        const release$ = defer(() => (last === undefined ? EMPTY : releaseLease(deps, last)));
        return concat(work$.pipe(takeUntil(renewing$)), release$).pipe(
          catchError((error) =>
            concat(
              release$,
              throwError(() => error),
            ),
          ),
          tap({ unsubscribe: () => leave(deps) }),
        );
      }),
    );

/** The next turn of this store may take its place. */
const leave = ({ left, data }: LeaseDeps): void => left.leave(tokenOf(data));

/** How long the first write may take altogether: as long as a cluster needs to elect a leader. */
const TAKE_MS = 10_000;

/**
 * Takes the lease, even if it replaces a lease that this store could not release; emits once. Errors with ThreadError if another process has it,
 * with NatsError if it could not be taken in ten seconds: the server may have it then.
 *   create  -t---x         (t no response, x a conflict with ourselves)
 *   out     -----L
 */
export const takeLease = (deps: LeaseDeps): Observable<Lease> =>
  defer(() => {
    const { leases, leaseMs, key, data, left, clockMs, inUse } = deps;
    const firstMs = clockMs(); // an attempt whose response was lost may be the attempt that counts
    const late = new NatsError('timeout', `the lease ${key} could not be taken in ${TAKE_MS / 1_000} s`);
    const taken = (result: Written): Lease => {
      if ('sinceMs' in result) return result;
      throw result.found === undefined || isLeft(deps, result.found) ? late : inUse(result.found.data); // both may pass
    };
    return written(deps, leases.create(key, data), firstMs).pipe(
      switchMap((result) => inPlaceOfLeft(deps, result, firstMs)),
      map(taken),
      whilePassing(leaseMs),
      failIfLate(TAKE_MS, () => late),
      tap({ error: (error) => error instanceof NatsError && left.leave(tokenOf(data)) }),
    );
  });

/** Overwrites a lease of this store whose work is over; no other store does that. */
const inPlaceOfLeft = (deps: LeaseDeps, result: Written, firstMs: number): Observable<Written> => {
  const { leases, key, data, left } = deps;
  if ('sinceMs' in result || result.found === undefined || !isLeft(deps, result.found)) return of(result);
  const before = tokenOf(result.found.data);
  return written(deps, leases.update(key, data, result.found.revision), firstMs).pipe(
    tap((then) => 'sinceMs' in then && left.forget(before)),
  );
};

/** Parts of the time of a lease: after the first it is renewed; after the second, without a renewal, the turn is stopped. */
const RENEW_PART = 1 / 4;
const STOP_PART = 9 / 10;
/** How long the last write may take altogether: as long as a cluster needs to elect a leader. An attempt is short. */
const RELEASE_MS = 10_000;
const RELEASE_ATTEMPT_MS = 1_000;

/**
 * Emits the next lease, when it is time. Errors with ThreadError if another has it, or if it could not be renewed in nine tenths of its time.
 *   update  -----u         (after a quarter)
 *   out     -----L
 */
export const renewLease = (deps: LeaseDeps, lease: Lease): Observable<Lease> => {
  const { leases, leaseMs, key, data, clockMs, lost } = deps;
  const leftMs = leaseMs * STOP_PART - (clockMs() - lease.sinceMs);
  const renewed$ = written(deps, leases.update(key, data, lease.revision), lease.sinceMs).pipe(
    map((result) => {
      if ('sinceMs' in result) return result;
      throw lost(result.found?.data);
    }),
    whilePassing(leaseMs),
  );
  return timer(leaseMs * RENEW_PART).pipe(
    switchMap(() => renewed$),
    timeout({ first: Math.max(0, leftMs), with: () => throwError(() => lost()) }),
  );
};

/**
 * Releases the lease; completes when that is done, or was tried for ten seconds. A lease that stays keeps other processes from the thread until its end,
 * while this store may replace it. A renewal that was on its way may have been stored since.
 *   remove  -t-------x     (t no response, as while a leader is elected)
 *   out     ---------|
 */
export const releaseLease = (
  { leases, leaseMs, key, data, left }: LeaseDeps,
  { revision }: Lease,
): Observable<never> => {
  const late = () => throwError(() => new NatsError('timeout', `the lease ${key} could not be released`));
  left.leave(tokenOf(data));
  return leases.remove(key, revision).pipe(
    catchError((error) =>
      isNatsFailure(error, 'conflict')
        ? leases.get(key).pipe(switchMap((found) => (isOwn(found, data) ? leases.remove(key, found.revision) : EMPTY)))
        : throwError(() => error),
    ),
    ignoreElements(),
    timeout({ first: RELEASE_ATTEMPT_MS, scheduler: inputFirst, with: late }),
    whilePassing(leaseMs),
    tap({ complete: () => left.forget(tokenOf(data)) }),
    takeUntil(timer(RELEASE_MS, inputFirst)),
    catchError(() => EMPTY), // it ends by itself
  );
};

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
      muted(),
    );
