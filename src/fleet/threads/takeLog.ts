/** How a process comes to write to the log of a thread whose lease it has. */
import { catchError, EMPTY, map, type Observable, retry, switchMap, throwError, timer } from 'rxjs';
import { ThreadError } from '../../threads/threadError';
import { type AppendDeps, appendText, type LogState } from './appendText';
import { FencedOff } from './holder';
import { readLog } from './readLog';
import type { ThreadPlace } from './threadPlace';

/** The log as it was read, and its state from now on. */
export type TakenLog = { text: string; state: LogState };

/** @param place where the thread is kept */
export type TakeDeps = AppendDeps & { place: ThreadPlace };

/** How often to try again: a previous holder may write to the thread until it is fenced off. */
const TRIES = 5;
const AGAIN_MS = 200;
const HEAD_CHARS = 65_536;

/**
 * Reads the whole log and appends that this process has the thread: from then on the server refuses what a previous holder still sends.
 * Emits once; errors with ThreadError, also where there is no such thread.
 */
export const takeLog = (deps: TakeDeps): Observable<TakenLog> =>
  readLog(deps.place, deps.id).pipe(
    switchMap(({ text, seq, known }) => {
      if (known === undefined) return throwError(() => new ThreadError(`The thread ${deps.id} was removed.`));
      const { facts } = known;
      const head = facts.preview === '' ? text.slice(0, HEAD_CHARS) : '';
      return appendText(deps, { seq, facts, head }, '').pipe(map((state) => ({ text, state })));
    }),
    retry({ count: TRIES, delay: (error) => (error instanceof FencedOff ? timer(AGAIN_MS) : throwError(() => error)) }),
  );

/** As `takeLog`, of a log that this process has read: nothing is read again. Completes empty where another process wrote to it since. */
export const retakeLog = (deps: TakeDeps, state: LogState): Observable<LogState> =>
  appendText(deps, state, '').pipe(
    catchError((error: unknown) => (error instanceof FencedOff ? EMPTY : throwError(() => error))),
  );
