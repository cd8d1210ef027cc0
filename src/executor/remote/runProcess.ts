/** One process on an exec-server, from the request to start it to its close. */
import {
  catchError,
  concat,
  defer,
  EMPTY,
  finalize,
  identity,
  type MonoTypeOperatorFunction,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  shareReplay,
  switchMap,
  takeWhile,
  tap,
} from 'rxjs';
import type { OutputChunk, OutputPage, ProcessEvent, ProcessSpec, WriteStatus } from '../../protocol/exec/process';
import {
  ReadResult,
  StatusResult,
  TerminateResult,
  WireClosed,
  WireExited,
  WireOutput,
} from '../../protocol/exec/results';
import { checkParams, checkResult } from '../../protocol/jsonrpc/checkParams';
import { isObject } from '../../protocol/jsonrpc/json';
import { RpcError } from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import type { RpcNotification } from '../../protocol/rpc/messages';
import { counter } from '../../streams/counter';
import { mapAccum } from '../../streams/gather';
import { reasonOf } from '../../streams/text/reasons';
import { delayUntil } from '../../streams/time/wait';
import { acknowledgeStored } from '../acknowledge';
import type { Process, Started } from '../backend';
import { inOrder } from '../lag/inOrder';
import { isLagged, type Lagged, recoverLag } from '../lag/recoverLag';
import { EXEC_SERVER } from './openConnection';
import type { Session } from './openSession';
import { startProcess } from './startProcess';

type RunDeps = {
  session: Session;
  /** The name of the process; nobody else uses it. */
  processId: string;
  /** Wraps the requests that end it. */
  whileEnding: MonoTypeOperatorFunction<unknown>;
  log: Log;
};

/**
 * Starts a process. Emits `started`, then its events in order of `seq`, including events that arrive before the result of the start.
 * Completes after `closed` or `failed`; never errors. Unsubscribing terminates the process, and so does `failed`, as the reader may
 * have failed while the process runs on.
 *   notification$  --o-----x-z
 *   start          -----R          (R the result of the start)
 *   out            -----(So)-x-(z|)
 */
export const runProcess = (
  { session, processId, whileEnding, log }: RunDeps,
  spec: ProcessSpec,
): Observable<Started | ProcessEvent> =>
  defer(() => {
    let isClosed = false;
    const isStored = session.storedEventsOf !== undefined;
    const result$ = startProcess(session, processId, isStored ? { ...spec, holdOutput: true } : spec).pipe(
      shareReplay(1),
    );
    const process = remoteProcess(session, processId, result$.pipe(map(({ holdsOutput }) => holdsOutput)));
    const event$ = eventsFrom(session, processId, log).pipe(
      delayUntil(result$),
      catchError(toFailed),
      isStored ? numberFailure : recoverLag({ read: process.read, log }),
    );
    return merge(
      event$,
      result$.pipe(map(({ keptBy }): Started => ({ kind: 'started', process, ...(keptBy && { keptBy }) }))),
    ).pipe(
      tap(({ kind }) => {
        isClosed = kind === 'closed';
      }),
      isStored ? acknowledgeStored((seq) => session.runInBackground(process.acknowledge(seq))) : identity,
      catchError(toFailed),
      takeWhile(({ kind }) => kind !== 'closed' && kind !== 'failed', true),
      finalize(() => isClosed || session.runInBackground(endOf(process, spec, isStored).pipe(whileEnding))),
    );
  });

/** Stored events arrive in order and once each, so none is read again. A failure gets the number after the last event. */
const numberFailure = mapAccum<number, ProcessEvent | Lagged, ProcessEvent>((last, event) => {
  if (isLagged(event)) return { state: last };
  const output = event.kind === 'failed' ? { ...event, seq: last + 1 } : event;
  return { state: output.seq, output };
}, 0);

/** The events as the server stores them, or as it sends them, put in order. */
const eventsFrom = (session: Session, processId: string, log: Log): Observable<ProcessEvent | Lagged> =>
  session.storedEventsOf?.(processId) ?? session.notification$.pipe(eventsOf(processId, log), inOrder<ProcessEvent>());

/** Terminates the process, and waits for its end if it may end by itself first. Acknowledges its stored events, as nobody reads them. */
const endOf = (
  { terminate, read, acknowledge }: Process,
  { grace }: ProcessSpec,
  isStored: boolean,
): Observable<unknown> =>
  concat(
    merge(terminate(), isStored ? acknowledge(Number.MAX_SAFE_INTEGER) : EMPTY),
    grace === undefined ? EMPTY : read({ afterSeq: Number.MAX_SAFE_INTEGER, waitMs: grace.inputMs + grace.termMs }),
  );

/** The failure of a process that has no event before it. */
export const failed = (error: unknown): ProcessEvent => ({ kind: 'failed', seq: 1, reason: failureOf(error) });

const toFailed = (error: unknown): Observable<ProcessEvent> => of(failed(error));

/** Our own server gives a longer reason than the server of Codex. */
const failureOf = (error: unknown): string => {
  if (error instanceof RpcError && isObject(error.data) && typeof error.data.reason === 'string')
    return error.data.reason;
  return reasonOf(error);
};

/** A process by its id. `holdsOutput$` emits whether the server waits for acknowledgements. Ids of writes let it recognise repeated ones. */
export const remoteProcess = ({ request }: Session, processId: string, holdsOutput$: Observable<boolean>): Process => {
  const nextWrite = counter();
  return {
    read: (from) => request('process/read', { processId, ...from }, 'repeat').pipe(readPage),
    acknowledge: (seq) =>
      holdsOutput$.pipe(
        switchMap((holds) => (holds ? request('process/acknowledge', { processId, seq }, 'repeat') : of({}))),
        map(() => undefined),
      ),
    write: (chunk) =>
      defer(() => {
        const params = { processId, chunk: Buffer.from(chunk).toString('base64'), writeId: String(nextWrite()) };
        return request('process/write', params, 'repeatIfKnown');
      }).pipe(readStatus('process/write')),
    closeStdin: () => request('process/closeStdin', { processId }, 'repeat').pipe(readStatus('process/closeStdin')),
    signal: (signal) => request('process/signal', { processId, signal }, 'fail').pipe(map(() => undefined)),
    terminate: () => request('process/terminate', { processId }, 'repeat').pipe(readRunning),
  };
};

/** Emits the events of the process, and `lagged`. Unreadable params are logged and skipped: the missing number is noticed, and read again. */
export const eventsOf =
  (processId: string, log: Log): OperatorFunction<RpcNotification | Lagged, ProcessEvent | Lagged> =>
  (notification$) =>
    notification$.pipe(
      mergeMap((item) => {
        if (isLagged(item)) return [item];
        if (!isObject(item.params) || item.params.processId !== processId) return [];
        try {
          return toEvent(item);
        } catch (error) {
          const { message: why } = error as Error;
          log('warning', 'a notification of the exec-server cannot be read', { method: item.method, why });
          return [];
        }
      }),
    );

/** The event of a notification. Throws if the method has other params. */
const toEvent = ({ method, params }: RpcNotification): ProcessEvent[] => {
  switch (method) {
    case 'process/output':
      return [{ kind: 'output', ...toChunk(checkParams(WireOutput(), params)) }];
    case 'process/exited':
      return [{ kind: 'exited', ...checkParams(WireExited(), params) }];
    case 'process/closed':
      return [{ kind: 'closed', ...checkParams(WireClosed(), params) }];
    default:
      return [];
  }
};

type WireChunk = Omit<OutputChunk, 'chunk'> & {
  /** In base64. */
  chunk: string;
};

/** A chunk of process/read in bytes. */
const toChunk = ({ seq, stream, chunk }: WireChunk): OutputChunk => ({
  seq,
  stream,
  chunk: Buffer.from(chunk, 'base64'),
});

const resultOf = (method: string): string => `${EXEC_SERVER}'s result of ${method}`;

/** The result of process/read. */
export const readPage = (result$: Observable<unknown>): Observable<OutputPage> =>
  result$.pipe(
    checkResult(ReadResult, resultOf('process/read')),
    map(({ chunks, evictedThrough, evictedBytes, ...page }) => ({
      ...page,
      chunks: chunks.map(toChunk),
      ...(evictedThrough !== undefined &&
        evictedBytes !== undefined && { evicted: { throughSeq: evictedThrough, bytes: evictedBytes } }),
    })),
  );

/** The result of process/write and process/closeStdin. */
export const readStatus =
  (method: string) =>
  (result$: Observable<unknown>): Observable<WriteStatus> =>
    result$.pipe(
      checkResult(StatusResult, resultOf(method)),
      map(({ status }) => status),
    );

/** The result of process/terminate: whether the process still ran. */
export const readRunning = (result$: Observable<unknown>): Observable<boolean> =>
  result$.pipe(
    checkResult(TerminateResult, resultOf('process/terminate')),
    map(({ running }) => running),
  );
