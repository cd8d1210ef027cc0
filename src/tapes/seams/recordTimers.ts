/** Records when the timers of the server are due. */
import { type Observable, timer } from 'rxjs';
import { counter } from '../../streams/counter';
import { recordCalls } from '../format/recordCalls';
import type { Tape } from '../format/tape';
import { timerSeam } from '../format/timerSeam';

/** Emits once after some milliseconds, which is recorded where there is a tape. */
export const recordTimers = (tape: Tape | undefined): ((ms: number) => Observable<unknown>) => {
  if (tape === undefined) return timer;
  const newCall = counter();
  const toLine = () => 'null';
  return (ms) =>
    recordCalls({ tape, seam: timerSeam(ms), newCall, toRequestLine: toLine, toResponseLine: toLine }, timer)(ms);
};
