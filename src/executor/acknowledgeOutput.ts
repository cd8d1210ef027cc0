/** Reports to an executor which output was received, where it holds output back until then. */
import {
  catchError,
  concatMap,
  EMPTY,
  filter,
  ignoreElements,
  type Observable,
  type OperatorFunction,
  scan,
} from 'rxjs';
import type { ProcessEvent } from '../protocol/exec';

/** Acknowledgements are sent this often at least: an executor may let a process wait that has twice as much unacknowledged. */
const EVERY_BYTES = 65_536;
const EVERY_EVENTS = 1_024;

/** What was received since the last report; `isDue` where the next one is sent. */
type Received = { bytes: number; events: number; seq: number; isDue: boolean };

const NOTHING: Received = { bytes: 0, events: 0, seq: 0, isDue: false };

/**
 * Acknowledges every 64 KiB or 1,024 events, one acknowledgement after another. One that fails is no failure: the connection was lost, and
 * what was missed is read.
 * @param acknowledge undefined for an executor that holds nothing back
 * Emits nothing.
 */
export const acknowledgeOutput =
  (acknowledge: ((seq: number) => Observable<unknown>) | undefined): OperatorFunction<ProcessEvent, never> =>
  (event$) =>
    acknowledge === undefined
      ? EMPTY
      : event$.pipe(
          scan(receive, NOTHING),
          filter(({ isDue }) => isDue),
          concatMap(({ seq }) => acknowledge(seq).pipe(catchError(() => EMPTY))),
          ignoreElements(),
        );

const receive = ({ isDue, ...since }: Received, event: ProcessEvent): Received => {
  const bytes = (isDue ? 0 : since.bytes) + (event.kind === 'output' ? event.chunk.length : 0);
  const events = (isDue ? 0 : since.events) + 1;
  return { bytes, events, seq: event.seq, isDue: bytes >= EVERY_BYTES || events >= EVERY_EVENTS };
};
