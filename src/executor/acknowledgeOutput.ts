/** Reports to an executor which output was received, where it holds output back until then. */
import { catchError, concatMap, EMPTY, ignoreElements, type Observable, type OperatorFunction } from 'rxjs';
import type { ProcessEvent } from '../protocol/exec';
import { type AcknowledgeLimits, acknowledgeEvery } from './acknowledgeEvery';

/** An executor may let a process wait that has twice as much unacknowledged. */
const LIMITS: AcknowledgeLimits = { bytes: 65_536, events: 1_024 };

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
          acknowledgeEvery(LIMITS),
          concatMap((seq) => acknowledge(seq).pipe(catchError(() => EMPTY))),
          ignoreElements(),
        );
