/** Decides when a reader of a process's events acknowledges them. */
import type { OperatorFunction } from 'rxjs';
import type { ProcessEvent } from '../protocol/exec/process';
import { type Accumulated, mapAccum } from '../streams/gather';

/** How much is received before the next acknowledgement is due. */
export type AcknowledgeLimits = { bytes: number; events: number };

/** What was received since the last acknowledgement. */
export type Received = { bytes: number; events: number };

/** The state that the reducer begins with. */
export const NOTHING_RECEIVED: Received = { bytes: 0, events: 0 };

/**
 * Emits the `seq` to acknowledge, each time the limit of bytes of output or of events is reached.
 *   in   -a-b-c-d-    (2 events)
 *   out  ---2---4-
 */
export const acknowledgeEvery = (limits: AcknowledgeLimits): OperatorFunction<ProcessEvent, number> =>
  mapAccum(receiveEvent(limits), NOTHING_RECEIVED);

/** A reducer; see `acknowledgeEvery`. */
export const receiveEvent =
  (limits: AcknowledgeLimits) =>
  (since: Received, event: ProcessEvent): Accumulated<Received, number> => {
    const bytes = since.bytes + (event.kind === 'output' ? event.chunk.length : 0);
    const events = since.events + 1;
    const isDue = bytes >= limits.bytes || events >= limits.events;
    return isDue ? { state: NOTHING_RECEIVED, output: event.seq } : { state: { bytes, events } };
  };
