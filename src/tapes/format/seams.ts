/** The inner seams of a daemon on a tape: calls whose responses are streams, such as to a model; timers; drawn values. */
import { defer, type Observable, tap } from 'rxjs';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { Tape } from './tape';

/** Where and how the calls of a port are recorded. */
export type SeamDeps<Q, A> = {
  tape: Tape;
  seam: string;
  /** Never returns the same number twice. */
  newCall: () => number;
  /** The line has no line break. */
  toRequestLine: (request: Q) => string;
  /** The line has no line break. */
  toResponseLine: (response: A) => string;
  /** True for a response that nothing follows, so that unsubscribing after it is not recorded as a stop. */
  isLast?: (response: A) => boolean;
};

/**
 * The same port, recorded at its seam: the request as `in`, each response as `out`, an error and an early end as `note`,
 * all with the number of their call.
 *   response  --a--#
 *   tape      q-a--n    (q the request, n the error)
 */
export const recordCalls =
  <Q, A>(
    { tape, seam, newCall, toRequestLine, toResponseLine, isLast = () => false }: SeamDeps<Q, A>,
    request: (request: Q) => Observable<A>,
  ): ((request: Q) => Observable<A>) =>
  (body) =>
    defer(() => {
      const call = newCall();
      let isOver = false; // once the last response has come
      const write = (dir: string, line: string, fault?: JsonObject) =>
        tape({ dir, line, seam, call, ...(fault && { fault }) });
      write('in', toRequestLine(body));
      return defer(() => request(body)).pipe(
        tap({
          next: (response) => {
            isOver = isLast(response);
            write('out', toResponseLine(response));
          },
          error: (error: Error) => write('note', `failed: ${error.message}`, faultOf(error)),
          unsubscribe: () => isOver || write('note', 'stopped'),
        }),
      );
    });

/** The members of an error besides its message, such as whether it can be tried again; undefined if there are none. */
const faultOf = (error: Error): JsonObject | undefined => {
  const { name: _name, ...fault } = { ...error } as JsonObject;
  return Object.keys(fault).length === 0 ? undefined : fault;
};

/** The seams where timers are recorded, so that a rerun ends them where they ended. */
const PREFIX = 'timer ';

/** The seam of the timers of one length in ms, or of one purpose: each is a request, and a response when its time is over. */
export const timerSeam = (which: number | 'idle' | 'start'): string => `${PREFIX}${which}`;

/** Whether a seam is one of timers. */
export const isTimerSeam = (seam: string): boolean => seam.startsWith(PREFIX);

/** The seam of marks: what the daemon did that shows in no line, so that a rerun sends later inputs after it. */
export const MARK_SEAM = 'mark';

/** Wraps a source of values under its name on the tape; the values stay the same. */
export type Chance = <T>(name: string, draw: () => T) => () => T;

/** The seam where draws are recorded, each as a line `[name, value]`. */
export const CHANCE_SEAM = 'chance';

/** Records the values that a program draws in each run, such as ids, times and random numbers; without a tape the source stays as it is. */
export const recordChance =
  (tape: Tape | undefined): Chance =>
  (name, draw) => {
    if (tape === undefined) return draw;
    return () => {
      const value = draw();
      tape({ dir: 'out', seam: CHANCE_SEAM, line: JSON.stringify([name, value]) });
      return value;
    };
  };
