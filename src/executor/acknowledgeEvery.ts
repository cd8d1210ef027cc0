/** Decides when a reader of a process's events acknowledges them. */
import { filter, map, type OperatorFunction, scan } from 'rxjs';
import type { ProcessEvent } from '../protocol/exec';

/** How much is read from one acknowledgement to the next. */
export type AcknowledgeLimits = { bytes: number; events: number };

/** What was received since the last acknowledgement; `isDue` where the next one is sent. */
type Received = { bytes: number; events: number; seq: number; isDue: boolean };

const NOTHING: Received = { bytes: 0, events: 0, seq: 0, isDue: false };

/**
 * Emits the `seq` to acknowledge, each time that so many bytes of output or so many events were received.
 *   in   -a-b-c-d-    (2 events)
 *   out  ---2---4-
 */
export const acknowledgeEvery =
  (limits: AcknowledgeLimits): OperatorFunction<ProcessEvent, number> =>
  (event$) =>
    event$.pipe(
      scan(receive(limits), NOTHING),
      filter(({ isDue }) => isDue),
      map(({ seq }) => seq),
    );

const receive =
  (limits: AcknowledgeLimits) =>
  ({ isDue, ...since }: Received, event: ProcessEvent): Received => {
    const bytes = (isDue ? 0 : since.bytes) + (event.kind === 'output' ? event.chunk.length : 0);
    const events = (isDue ? 0 : since.events) + 1;
    return { bytes, events, seq: event.seq, isDue: bytes >= limits.bytes || events >= limits.events };
  };
