/** Owns running processes where an exec-server is. */
import {
  catchError,
  concat,
  defer,
  delayWhen,
  EMPTY,
  endWith,
  finalize,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  ReplaySubject,
  retry,
  share,
  shareReplay,
  take,
  takeWhile,
  tap,
  throwError,
  timer,
} from 'rxjs';
import type { Log } from '../../log';
import { type ExecNotification, isObject, type ProcessEvent, type ProcessSpec, RpcError } from '../../protocol';
import type { Backend, Process, Started } from '../backend';
import { inOrder } from '../inOrder';
import { isLagged, type Lagged } from '../lagged';
import { recoverLag } from '../recoverLag';
import { toUri } from '../toUri';
import { toEvent, toPage, toStatus } from './fromWire';
import { type Link, type LinkDeps, openLink } from './openLink';
import { LOST } from './question';

/** @param idleMs how long a connection without processes is kept */
export type RemoteDeps = Omit<LinkDeps, 'newId'> & { log: Log; idleMs?: number };

const IDLE_MS = 30_000;
const STARTING_MS = 50;
const STARTING_TRIES = 100;
const NEVER_STARTED = `${LOST} while the process started, and the server does not get on with it`;

/**
 * A backend behind one connection, which is made with the first process and shared by all. Events that come twice, late or
 * not at all are put right from what the server retains. When the connection is lost, it is made again for the same session
 * for `reconnectForMs`, and what was missed is read; when the session is lost its processes fail.
 */
export const remoteBackend = ({ log, idleMs = IDLE_MS, ...deps }: RemoteDeps): Backend => {
  const newId = counter();
  const link$ = openLink({ ...deps, newId }).pipe(
    share({ connector: () => new ReplaySubject<Link>(1), resetOnRefCountZero: () => timer(idleMs) }),
  );
  return {
    start: (spec) =>
      defer(() => {
        const processId = `codex-rx-${newId()}`;
        return merge(
          link$.pipe(
            ignoreElements(),
            catchError(() => EMPTY),
          ), // holds it; a life ends by its own notes
          link$.pipe(
            take(1),
            mergeMap((link) => concat(lifeOf(link, processId, spec, log), keep(spec), of(OVER))),
          ),
        ).pipe(
          catchError((error) => of(failed(error), OVER)),
          endWith(OVER),
          takeWhile((event) => event !== OVER),
          map((event) => event as Exclude<typeof event, typeof OVER>),
        );
      }),
  };
};

const OVER = { kind: 'over' as const };

const failed = (error: unknown): ProcessEvent => ({ kind: 'failed', seq: 1, reason: reasonOf(error) });

/** Our own server says more than the original may. */
const reasonOf = (error: unknown): string => {
  if (error instanceof RpcError && isObject(error.data) && typeof error.data.reason === 'string')
    return error.data.reason;
  return error instanceof Error ? error.message : String(error);
};

const keep = ({ keepMs }: ProcessSpec): Observable<never> =>
  keepMs === undefined ? EMPTY : timer(keepMs).pipe(ignoreElements());

/** One process, from the question to start it to its close. The server may tell of it before it answers. */
const lifeOf = (link: Link, processId: string, spec: ProcessSpec, log: Log): Observable<Started | ProcessEvent> =>
  defer(() => {
    const process = processOf(link, processId);
    const state = { over: false };
    const answered$ = started(link, processId, spec).pipe(shareReplay(1));
    const event$ = link.note$.pipe(
      mergeMap(eventsOf(processId)),
      inOrder<ProcessEvent>(),
      delayWhen(() => answered$),
      catchError((error) => of(failed(error))),
      recoverLag({ read: process.read, log }),
    );
    const started$ = answered$.pipe(map((): Started => ({ kind: 'started', process })));
    return merge(event$, started$).pipe(
      tap(({ kind }) => {
        state.over = kind === 'closed' || kind === 'failed';
      }),
      takeWhile(() => !state.over, true),
      finalize(() => state.over || link.tell('process/terminate', { processId })),
    );
  });

const eventsOf =
  (processId: string) =>
  (note: ExecNotification | Lagged): (ProcessEvent | Lagged)[] => {
    if (isLagged(note)) return [note];
    const told = toEvent(note);
    return told?.processId === processId ? [told.event] : [];
  };

/** Nobody else uses the id, so one that is taken when we ask again says that the server had heard us. */
const started = ({ ask }: Link, processId: string, spec: ProcessSpec): Observable<unknown> =>
  ask('process/start', toStart(processId, spec), 'repeat').pipe(
    catchError((error) => {
      if (saysThat(error, `process ${processId} already exists`)) return startedBefore(ask, processId);
      throw error;
    }),
  );

/**
 * Waits until the server can be asked about it; errors when it did not start.
 * Source: codex exec-server 0.169.0 may call it starting for ever when the connection was lost at that moment.
 */
const startedBefore = (ask: Link['ask'], processId: string): Observable<unknown> =>
  ask('process/read', { processId, afterSeq: 0, maxBytes: 0, waitMs: 0 }, 'repeat').pipe(
    retry({
      delay: (error, tries) => {
        if (!saysThat(error, `process id ${processId} is starting`)) return throwError(() => error);
        return tries < STARTING_TRIES ? timer(STARTING_MS) : throwError(() => new Error(NEVER_STARTED));
      },
    }),
  );

const saysThat = (error: unknown, words: string): boolean => error instanceof RpcError && error.message === words;

const toStart = (processId: string, { argv, cwd, env, arg0, stdin, grace }: ProcessSpec) => ({
  processId,
  argv,
  cwd: toUri(cwd),
  env,
  tty: false,
  pipeStdin: stdin === 'pipe',
  arg0: arg0 ?? null,
  ...(grace && { grace }),
});

const processOf = ({ ask }: Link, processId: string): Process => {
  const nextWrite = counter();
  return {
    read: (from) => ask('process/read', { processId, ...from }, 'repeat').pipe(map(toPage)),
    write: (chunk) =>
      defer(() => {
        const asked = { processId, chunk: Buffer.from(chunk).toString('base64'), writeId: String(nextWrite()) };
        return ask('process/write', asked, 'repeat known');
      }).pipe(map(toStatus)),
    closeStdin: () => ask('process/closeStdin', { processId }, 'repeat').pipe(map(toStatus)),
    signal: (signal) => ask('process/signal', { processId, signal }, 'give up').pipe(map(() => undefined)),
    terminate: () =>
      ask('process/terminate', { processId }, 'repeat').pipe(
        map((result) => isObject(result) && result.running === true),
      ),
  };
};

/** 1, 2, 3, … */
const counter = (): (() => number) => {
  let last = 0;
  return () => {
    last += 1;
    return last;
  };
};
