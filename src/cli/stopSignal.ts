/** The signals that ask a process to end. */
import { fromEvent, map, merge, type Observable, take } from 'rxjs';

/** SIGHUP comes when the terminal, or the connection that the process was started through, is closed. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Emits the first of the signals, and completes. While it is subscribed, none of them ends the process by itself. */
export const stopSignal = (): Observable<NodeJS.Signals> =>
  merge(...SIGNALS.map((signal) => fromEvent(process, signal).pipe(map(() => signal)))).pipe(take(1));
