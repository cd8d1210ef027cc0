/** The seams where timers are recorded, so that a rerun ends them where they ended. */

const PREFIX = 'timer ';

/** The seam of the timers of one length in ms, or of one purpose: each is a request, and a response when its time is over. */
export const timerSeam = (which: number | 'idle'): string => `${PREFIX}${which}`;

/** Whether a seam is one of timers. */
export const isTimerSeam = (seam: string): boolean => seam.startsWith(PREFIX);
