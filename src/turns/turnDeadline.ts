/** The time a turn may take. */
import { map, type Observable, timer } from 'rxjs';
import { toTimerMs } from '../streams';
import type { TurnStop } from './turnEnd';

/**
 * Emits once, when a turn that begins now has taken too long, and completes.
 * A limit longer than a timer can wait counts as the longest possible wait.
 */
export const turnDeadline = (limitMs: number): Observable<TurnStop> =>
  timer(toTimerMs(limitMs)).pipe(
    map(() => ({ kind: 'expired', message: `The turn took longer than ${limitMs / 1000} s and was stopped.` })),
  );
