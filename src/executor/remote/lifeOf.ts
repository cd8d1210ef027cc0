/** Owns one process behind an exec-server, and what can be done with it. */
import {
  catchError,
  defer,
  delayWhen,
  finalize,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  retry,
  shareReplay,
  takeWhile,
  tap,
  throwError,
  timer,
} from 'rxjs';
import type { Log } from '../../log';
import { type ExecNotification, isObject, type ProcessEvent, type ProcessSpec, RpcError } from '../../protocol';
import type { Process, Started } from '../backend';
import { inOrder } from '../inOrder';
import { isLagged, type Lagged } from '../lagged';
import { recoverLag } from '../recoverLag';
import { toUri } from '../toUri';
import { counter } from './counter';
import { toEvent, toPage, toStatus } from './fromWire';
import type { Link } from './openLink';
import { LOST } from './question';

const STARTING_MS = 50;
const STARTING_TRIES = 100;
const NEVER_STARTED = `${LOST} while the process started, and the server does not get on with it`;

/** One process, from the question to start it to its close. The server may tell of it before it answers. */
export const lifeOf = (
  link: Link,
  processId: string,
  spec: ProcessSpec,
  log: Log,
): Observable<Started | ProcessEvent> =>
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

const toStart = (processId: string, { argv, cwd, env, arg0, stdin, tty, grace }: ProcessSpec) => ({
  processId,
  argv,
  cwd: toUri(cwd),
  env,
  tty: tty === true,
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

/** A process that failed, in its first word. */
export const failed = (error: unknown): ProcessEvent => ({ kind: 'failed', seq: 1, reason: reasonOf(error) });

/** Our own server says more than the original may. */
const reasonOf = (error: unknown): string => {
  if (error instanceof RpcError && isObject(error.data) && typeof error.data.reason === 'string')
    return error.data.reason;
  return error instanceof Error ? error.message : String(error);
};
