/** The time a turn may take. */
import type { MonoTypeOperatorFunction } from 'rxjs';
import { toTimerMs } from '../../streams/time/timerMs';
import { withDeadline } from '../../streams/time/withDeadline';
import type { TurnStop } from './turnEnd';

/**
 * Passes the stops of a turn that begins now, and emits one of its own when the turn has taken too long.
 * A limit longer than a timer can wait counts as the longest possible wait.
 *   in   --x----
 *   out  --x--(E|)    (E expired)
 */
export const turnDeadline = (limitMs: number): MonoTypeOperatorFunction<TurnStop> =>
  withDeadline<TurnStop>({
    ms: toTimerMs(limitMs),
    last: { kind: 'expired', message: `The turn took longer than ${limitMs / 1000} s and was stopped.` },
  });
