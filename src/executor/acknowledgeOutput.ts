/** Acknowledges output to an executor that holds further output back until then. */
import { catchError, concatMap, EMPTY, ignoreElements, type Observable, type OperatorFunction } from 'rxjs';
import type { ProcessEvent } from '../protocol/exec/process';
import { type AcknowledgeLimits, acknowledgeEvery } from './acknowledgeEvery';

/** Half of what an executor lets a process have unacknowledged before the process waits. */
const LIMITS: AcknowledgeLimits = { bytes: 65_536, events: 1_024 };

/**
 * Acknowledges every 64 KiB or 1,024 events, one acknowledgement after another. One that fails is ignored: the connection was lost, and
 * what was missed is read again.
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
