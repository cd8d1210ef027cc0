/** The longest time a timer can wait. */

/** Some 25 days, in ms; a timer that is given more does not wait at all. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** A longer time means "for ever", and is capped at what a timer can wait. */
export const toTimerMs = (ms: number): number => Math.min(ms, MAX_TIMER_MS);
