/** When a reader acknowledges the events of a process, so that an executor that holds its output back can send more. */
import {
  auditTime,
  catchError,
  concatMap,
  connect,
  distinctUntilChanged,
  EMPTY,
  endWith,
  filter,
  ignoreElements,
  type MonoTypeOperatorFunction,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  takeUntil,
  tap,
} from 'rxjs';
import type { ProcessEvent } from '../protocol/exec/process';
import { type Accumulated, mapAccum } from '../streams/gather';
import type { Process, Started } from './backend';

/** How much output, in bytes and in events; as a limit: how much is received before the next acknowledgement is due. */
type Amount = { bytes: number; events: number };

/** Half of what an executor lets a process have unacknowledged before the process waits. */
const OUTPUT_LIMITS: Amount = { bytes: 65_536, events: 1_024 };

/** Acknowledges every 64 KiB or 1,024 events. A failure is ignored: the connection was lost, and the rest is read again. Emits nothing. */
export const acknowledgeOutput =
  (acknowledge: Process['acknowledge']): OperatorFunction<ProcessEvent, never> =>
  (event$) =>
    event$.pipe(
      mapAccum(receiveEvent(OUTPUT_LIMITS), NOTHING_RECEIVED),
      concatMap((seq) => acknowledge(seq).pipe(catchError(() => EMPTY))),
      ignoreElements(),
    );

const STORED_LIMITS: Amount = { bytes: 1_048_576, events: 1_024 };
/** A stream may be smaller than the output that its readers have read and not yet acknowledged; then its writers would wait for room. */
const LATEST_MS = 500;

/**
 * Passes all events, and acknowledges every MiB, every 1,024 events, the close, and anything else half a second later: a server that stores events need
 * not keep them then.
 *   in           S-o-----------z|
 *   out          S-o-----------z|
 *   acknowledge  -- 500ms o----z
 */
export const acknowledgeStored = (
  acknowledge: (seq: number) => void,
): MonoTypeOperatorFunction<Started | ProcessEvent> =>
  connect((all$) => {
    const acknowledged$ = all$.pipe(filter(isStored), dueIn, tap(acknowledge), ignoreElements());
    return merge(acknowledged$, all$); // in this order, as the close may end its reader
  });

/** A failure is no event of a stream. */
const isStored = (event: Started | ProcessEvent): event is ProcessEvent =>
  event.kind !== 'started' && event.kind !== 'failed';

const dueIn = (event$: Observable<ProcessEvent>): Observable<number> =>
  merge(
    event$.pipe(atOnce),
    event$.pipe(
      auditTime(LATEST_MS),
      takeUntil(event$.pipe(ignoreElements(), endWith('over'))),
      map(({ seq }) => seq),
    ),
  ).pipe(distinctUntilChanged());

const NOTHING_RECEIVED: Amount = { bytes: 0, events: 0 };

/** Counts what was received since the last acknowledgement; its output is the `seq` to acknowledge. */
const receiveEvent =
  (limits: Amount) =>
  (since: Amount, event: ProcessEvent): Accumulated<Amount, number> => {
    const bytes = since.bytes + (event.kind === 'output' ? event.chunk.length : 0);
    const events = since.events + 1;
    const isDue = bytes >= limits.bytes || events >= limits.events;
    return isDue ? { state: NOTHING_RECEIVED, output: event.seq } : { state: { bytes, events } };
  };

const receiveStored = receiveEvent(STORED_LIMITS);

/** The close is due at once, and so is what reaches a limit. */
const atOnce = mapAccum<Amount, ProcessEvent, number>(
  (since, event) => (event.kind === 'closed' ? { state: since, output: event.seq } : receiveStored(since, event)),
  NOTHING_RECEIVED,
);
