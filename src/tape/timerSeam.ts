/** The seams where timers are recorded, so that they are due again when they were. */

const PREFIX = 'timer ';

/** The seam of the timers of one length: a request each, and an answer when it is over. */
export const timerSeam = (ms: number): string => `${PREFIX}${ms}`;

/** Whether a seam is one of timers. */
export const isTimerSeam = (seam: string): boolean => seam.startsWith(PREFIX);
