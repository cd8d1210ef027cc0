/** The error output of a process as log records, rate-limited. */
import { concat, ignoreElements, map, type OperatorFunction, of, scan, tap, timestamp } from 'rxjs';
import { limitRate, NO_RECORDS, type RateVerdict, type RateWindow } from '../io/log/limitRate';
import type { Log } from '../protocol/log';
import { flatten } from '../streams/gather';

/** @param program names the process in each record; @param perSecond how many lines are logged per second; default 100 */
export type LogLinesDeps = { log: Log; program: string; perSecond?: number };

const PER_SECOND = 100;

/**
 * One record per line, at info. Lines beyond `perSecond` are dropped; a warning with their number comes before the next line, or at the end.
 * Emits nothing. Completes and errors with the source.
 */
export const logLines =
  ({ log, program, perSecond = PER_SECOND }: LogLinesDeps): OperatorFunction<string, never> =>
  (line$) => {
    const limit = limitRate({ perSecond });
    return concat(line$, of(END)).pipe(
      timestamp(),
      scan(({ window }: State, { value, timestamp }) => next(limit, window, { line: value, nowMs: timestamp }), START),
      map(({ output }) => output),
      flatten(),
      tap((record) => writeRecord({ log, program }, record)),
      ignoreElements(),
    );
  };

const END = null;

type Logged = { kind: 'line'; line: string } | { kind: 'dropped'; droppedLines: number };
type State = { window: RateWindow; output: Logged[] };
const START: State = { window: NO_RECORDS, output: [] };

type Limit = (window: RateWindow, nowMs: number) => RateVerdict;

const next = (limit: Limit, window: RateWindow, { line, nowMs }: { line: string | null; nowMs: number }): State => {
  if (line === END) return { window: NO_RECORDS, output: toDropped(window.dropped) };
  const { window: after, passes, droppedBefore } = limit(window, nowMs);
  const lines: Logged[] = passes ? [{ kind: 'line', line }] : [];
  return { window: after, output: [...toDropped(droppedBefore), ...lines] };
};

const toDropped = (droppedLines: number): Logged[] => (droppedLines > 0 ? [{ kind: 'dropped', droppedLines }] : []);

const writeRecord = ({ log, program }: Pick<LogLinesDeps, 'log' | 'program'>, record: Logged): void => {
  if (record.kind === 'line') log('info', 'a process wrote to its error output', { program, line: record.line });
  else log('warning', 'error output of a process was too fast to log', { program, droppedLines: record.droppedLines });
};
