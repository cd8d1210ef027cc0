/** Signals that ask this process to end, and signals that a recorder passes on to its server. */
import { constants } from 'node:os';
import { fromEvent, ignoreElements, map, merge, type Observable, take, tap } from 'rxjs';

/** SIGHUP comes when the terminal, or the connection that the process was started through, is closed. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Emits the first of the signals, and completes. While it is subscribed, none of them ends the process by itself. */
export const stopSignal = (): Observable<NodeJS.Signals> =>
  merge(...SIGNALS.map((signal) => fromEvent(process, signal).pipe(map(() => signal)))).pipe(take(1));

/** The same for a command whose result is not there yet: its exit code is that of a process which the signal ended, such as 130. */
export const interruption = (): Observable<NodeJS.Signals> =>
  stopSignal().pipe(
    tap((signal) => {
      process.exitCode = 128 + constants.signals[signal];
    }),
  );

/** The signals that a recorder passes on to its server. */
const PASSED = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR2'] as const;
/** A terminal sends these to the child as well. */
const FROM_TERMINAL: readonly string[] = ['SIGINT', 'SIGQUIT'];

/**
 * Emits the signals that the child does not get by itself. What an interrupt means is the child's decision, so none ends this process while
 * it is subscribed, which is as long as the child lives; each does afterwards, while the tape is closed. Never completes.
 * @param isTerminal whether a terminal sends its signals to the child, too
 */
export const passedSignals = (isTerminal: boolean): Observable<NodeJS.Signals> =>
  merge(
    ...PASSED.map((signal) => {
      const signal$ = fromEvent(process, signal).pipe(map(() => signal));
      return isTerminal && FROM_TERMINAL.includes(signal) ? signal$.pipe(ignoreElements()) : signal$;
    }),
  );
