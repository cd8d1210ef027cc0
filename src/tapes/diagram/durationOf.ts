/** A time in a picture. */
import { toMinutes } from '../page/format';

/** `12 ms`, `3.4 s`, `2 min 5 s`. */
export const durationOf = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${Math.round(ms / 100) / 10} s` : toMinutes(ms);
};
