/** Limits how long a stream may be silent. */
import {
  defer,
  ignoreElements,
  type MonoTypeOperatorFunction,
  type Observable,
  repeat,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { type Backpressure, toTimerMs } from '../streams';
import { idleFailure } from './failures';

/** `clockMs`: ms since some moment, without jumps. */
export type IdleDeps = { isFull: Backpressure['isFull']; clockMs: () => number };

/**
 * Errors when nothing comes for too long. The clock stands still while the client reads slowly. Values only note the time: one timer
 * looks at it twice in `idleMs`, and when the time is over.
 * @param idleMs 0 means for ever
 *   in  a-- 300ms
 *   out a-- 300ms #
 * Source: Codex 0.28.0 `stream_idle_timeout_ms`, cases mh25 and mh26.
 */
export const idleTimeout =
  <T>({ idleMs, isFull, clockMs }: IdleDeps & { idleMs: number }): MonoTypeOperatorFunction<T> =>
  (source$) => {
    if (idleMs <= 0) return source$;
    return defer(() => {
      let lastMs = clockMs(); // of the last value, or of the last look at a client that reads slowly
      const note = () => {
        lastMs = clockMs();
      };
      const look$ = defer((): Observable<0> => {
        if (isFull()) note();
        const leftMs = lastMs + idleMs - clockMs();
        if (leftMs <= 0) throw idleFailure();
        return timer(toTimerMs(Math.min(leftMs, Math.max(1, idleMs / 2))));
      });
      return source$.pipe(tap(note), takeUntil(look$.pipe(ignoreElements(), repeat())));
    });
  };
