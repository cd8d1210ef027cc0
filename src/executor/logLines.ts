/** Owns what a process says on its error output: records of the log, not more than a log can bear. */
import { concat, ignoreElements, map, type OperatorFunction, of, scan, tap, timestamp } from 'rxjs';
import type { Log } from '../log';
import { flatten } from '../streams';

/** `program` names the process in each record; of each second `perSecond` lines are logged. */
export type LogLinesDeps = { log: Log; program: string; perSecond?: number };

const PER_SECOND = 100;
const SECOND_MS = 1000;

/**
 * One record a line, at info. Beyond `perSecond` lines are read and dropped; how many, the next record tells, or the end.
 * Emits nothing. Completes and errors with the source.
 */
export const logLines =
  ({ log, program, perSecond = PER_SECOND }: LogLinesDeps): OperatorFunction<string, never> =>
  (line$) =>
    concat(line$, of(END)).pipe(
      timestamp(),
      scan((burst, { value, timestamp }) => next(burst, value, timestamp, perSecond), QUIET),
      map(({ out }) => out),
      flatten(),
      tap((said) =>
        typeof said === 'string'
          ? log('info', 'a process said', { program, line: said })
          : log('warning', 'a process said too much for the log', { program, droppedLines: said }),
      ),
      ignoreElements(),
    );

const END = null;

/** One second of lines; `out` holds lines to log, and numbers of dropped ones. */
type Burst = { sinceMs: number; passed: number; dropped: number; out: (string | number)[] };
const QUIET: Burst = { sinceMs: Number.NEGATIVE_INFINITY, passed: 0, dropped: 0, out: [] };

const next = (burst: Burst, line: string | null, nowMs: number, perSecond: number): Burst => {
  const confession = burst.dropped > 0 ? [burst.dropped] : [];
  if (line === END) return { ...burst, dropped: 0, out: confession };
  const over = nowMs - burst.sinceMs >= SECOND_MS || nowMs < burst.sinceMs; // a clock set back begins anew
  if (over) return { sinceMs: nowMs, passed: 1, dropped: 0, out: [...confession, line] };
  if (burst.passed < perSecond) return { ...burst, passed: burst.passed + 1, out: [line] };
  return { ...burst, dropped: burst.dropped + 1, out: [] };
};
