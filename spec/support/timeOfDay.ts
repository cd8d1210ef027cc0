/** A time of day that jumps, while the timers of the marbles go on as before. */
import { asyncScheduler } from 'rxjs';
import { dateTimestampProvider } from 'rxjs/internal/scheduler/dateTimestampProvider';

const DAY_MS = 86_400_000;

/** How the time of day goes, and what it jumps by in each ms. */
export const TIMES_OF_DAY: [string, number][] = [
  ['goes on', 0],
  ['jumps forward', DAY_MS],
  ['jumps back', -DAY_MS],
];

/** The virtual time of the marbles, which never jumps. */
export const clockMs = asyncScheduler.now; // the function itself: the property is replaced below

/** What RxJS takes for the time of day jumps in each ms, until `jest.restoreAllMocks()`. */
export const jumpTimeOfDay = (byMs: number): void => {
  for (const provider of [asyncScheduler, dateTimestampProvider]) {
    jest.spyOn(provider, 'now').mockImplementation(() => clockMs() + Math.floor(clockMs()) * byMs);
  }
};
