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
  type Observable,
  of,
  shareReplay,
  takeWhile,
  tap,
} from 'rxjs';
import type { ProcessEvent, ProcessSpec } from '../../protocol/exec/process';
import { isObject } from '../../protocol/jsonrpc/json';
import { RpcError } from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import { mapAccum } from '../../streams/mapAccum';
import { reasonOf } from '../../streams/text/reasonOf';
import { delayUntil } from '../../streams/time/delayUntil';
import type { Process, Started } from '../backend';
import { inOrder } from '../lag/inOrder';
import { isLagged, type Lagged } from '../lag/lagged';
import { recoverLag } from '../lag/recoverLag';
import { acknowledgeStored } from './acknowledgeStored';
import { eventsOf } from './eventsOf';
import type { Session } from './openSession';
import { remoteProcess } from './remoteProcess';
import { startProcess } from './startProcess';

/** @param processId names the process; nobody else uses it; @param whileEnding wraps the requests that end it */
export type RunDeps = {
  session: Session;
  processId: string;
  whileEnding: MonoTypeOperatorFunction<unknown>;
  log: Log;
};

/**
 * Starts a process. Emits `started`, then its events in order of `seq`, also those that come before the result of the start.
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

/** Stored events come in order and each once, so none is read again; a failure gets the number after the last event. */
const numberFailure = mapAccum<number, ProcessEvent | Lagged, ProcessEvent>((last, event) => {
  if (isLagged(event)) return { state: last };
  const output = event.kind === 'failed' ? { ...event, seq: last + 1 } : event;
  return { state: output.seq, output };
}, 0);

/** The events as the server stores them, or as it sends them, put in order. */
const eventsFrom = (session: Session, processId: string, log: Log): Observable<ProcessEvent | Lagged> =>
  session.storedEventsOf?.(processId) ?? session.notification$.pipe(eventsOf(processId, log), inOrder<ProcessEvent>());

/** Terminates the process, and waits for its end where it is given time to end by itself. Acknowledges its stored events, as nobody reads them. */
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

/** Our own server gives a longer reason than that of Codex does. */
const failureOf = (error: unknown): string => {
  if (error instanceof RpcError && isObject(error.data) && typeof error.data.reason === 'string')
    return error.data.reason;
  return reasonOf(error);
};
