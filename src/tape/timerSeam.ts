/** The seams where timers are recorded, so that they are due again when they were. */

const PREFIX = 'timer ';

/** The seam of the timers of one length, or of one purpose: a request each, and an answer when it is over. */
export const timerSeam = (which: number | 'idle'): string => `${PREFIX}${which}`;

/** Whether a seam is one of timers. */
export const isTimerSeam = (seam: string): boolean => seam.startsWith(PREFIX);
