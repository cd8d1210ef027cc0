/** A backend whose processes run on an exec-server. */
import {
  BehaviorSubject,
  catchError,
  concat,
  defer,
  dematerialize,
  exhaustMap,
  filter,
  finalize,
  type MonoTypeOperatorFunction,
  map,
  materialize,
  merge,
  NEVER,
  type Observable,
  of,
  ReplaySubject,
  share,
  switchMap,
  take,
  timer,
} from 'rxjs';
import type { ProcessEvent } from '../../protocol/exec/process';
import { counter } from '../../streams/counter';
import { failIfLate } from '../../streams/time/limits';
import { type Executor, keptBy, type Started } from '../backend';
import { TransportError } from '../transportError';
import { EXEC_SERVER } from './openConnection';
import { openSession, type Session, type SessionDeps } from './openSession';
import { failed, runProcess } from './runProcess';

/** The session, and when it is closed. */
export type RemoteDeps = Omit<SessionDeps, 'newId'> & {
  /** How long a connection without processes stays open. Default: 30 s. */
  idleMs?: number;
  /** Emits when no more processes will be started, and to each later subscriber. An idle connection is closed then. */
  over$?: Observable<unknown>;
};

type Life = Observable<Started | ProcessEvent>;

const IDLE_MS = 30_000;

/**
 * A backend behind one session, which the first process or request opens, and all share. Repeated, late and missing events are corrected from the output that
 * the server retains. If the connection is lost, the backend tries for `reconnectForMs` to resume the session, and reads missed events; if the session is
 * lost, its processes fail.
 */
export const remoteBackend = ({ idleMs = IDLE_MS, over$ = NEVER, ...deps }: RemoteDeps): Executor => {
  const newId = counter();
  const endings$ = new BehaviorSubject(0); // how many processes are being given time to end: the wire from them to the session
  const idleTooLong = () =>
    merge(timer(idleMs), over$.pipe(switchMap(() => endings$.pipe(filter((count) => count === 0)))));
  const session$ = openSession({ ...deps, newId }).pipe(
    share({ connector: () => new ReplaySubject<Session>(1), resetOnRefCountZero: idleTooLong }),
  );
  return {
    request: requestOn(session$),
    start: (spec) =>
      defer(() => {
        const processId = `codex-rx-${newId()}`;
        const run = (session: Session): Observable<Started | ProcessEvent> =>
          runProcess(
            { session: keepingOpen(session$, session), processId, whileEnding: counting(endings$), log: deps.log },
            spec,
          );
        return session$.pipe(
          map((session): Life => concat(run(session), keptBy(spec))),
          catchError((error) => of<Life>(of(failed(error)))),
          // the first decides: a process notices the loss of its session by itself
          exhaustMap((life$) => life$.pipe(materialize())),
          dematerialize(), // ends with the process, and so releases the session
        );
      }),
  };
};

/** How long a server may take for a request that runs no process, with the connection that it needs. */
const ANSWER_MS = 60_000;

/** A request keeps the session open until its own end. */
const requestOn =
  (session$: Observable<Session>): Executor['request'] =>
  (method, params, onLoss) =>
    session$.pipe(
      exhaustMap((session) => session.request(method, params, onLoss).pipe(materialize())),
      dematerialize(),
      failIfLate(ANSWER_MS, () => new TransportError('ambiguous', unanswered(method, onLoss))),
    );

const unanswered = (method: string, onLoss: 'repeat' | 'fail'): string =>
  `${EXEC_SERVER} did not answer ${method} within ${ANSWER_MS / 1000} s${onLoss === 'fail' ? '; whether it was done is not known' : ''}`;

/** A session whose requests keep its connection open until their response, even after the process has ended. Without a session they open a new one. */
const keepingOpen = (session$: Observable<Session>, session: Session): Session => ({
  ...session,
  request: (...request) =>
    session$.pipe(
      exhaustMap((open) => open.request(...request)),
      take(1), // a request has one result
    ),
});

/** Counts what runs: one more from its subscription to its end. */
const counting =
  (count$: BehaviorSubject<number>): MonoTypeOperatorFunction<unknown> =>
  (task$) =>
    defer(() => {
      count$.next(count$.value + 1);
      return task$.pipe(finalize(() => count$.next(count$.value - 1)));
    });
