/** Reports to an executor which events were read, so that its stream need not keep them any more. */
import {
  auditTime,
  connect,
  distinctUntilChanged,
  endWith,
  filter,
  ignoreElements,
  type MonoTypeOperatorFunction,
  map,
  merge,
  type Observable,
  takeUntil,
  tap,
} from 'rxjs';
import type { ProcessEvent } from '../../protocol/exec/process';
import { mapAccum } from '../../streams/gather';
import { type AcknowledgeLimits, NOTHING_RECEIVED, type Received, receiveEvent } from '../acknowledgeEvery';
import type { Started } from '../backend';

const LIMITS: AcknowledgeLimits = { bytes: 1_048_576, events: 1_024 };
/** A stream may be smaller than what its readers have read and not yet acknowledged; then its writers would wait for room. */
const LATEST_MS = 500;

/**
 * Passes all on, and acknowledges every MiB, every 1,024 events, the close, and anything else half a second later.
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

const receive = receiveEvent(LIMITS);

/** What is acknowledged at once. */
const atOnce = mapAccum<Received, ProcessEvent, number>(
  (since, event) => (event.kind === 'closed' ? { state: since, output: event.seq } : receive(since, event)),
  NOTHING_RECEIVED,
);
