/** The port through which every room logs. The app decides where records are written. */
import { Subject } from 'rxjs';

/** The levels, from the least to the most severe. */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error'] as const;
/** How severe a record is. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Structured facts besides the message; values must be JSON. Never a token, never a key. */
export type LogFields = Record<string, unknown>;

/** A log record, before it is formatted. */
export type LogRecord = { level: LogLevel; message: string; fields?: LogFields };

/** Takes a record. A call does not throw and does not block. */
export type Log = (level: LogLevel, message: string, fields?: LogFields) => void;

/** A log that drops every record: the default of specs. */
export const silentLog: Log = () => {};

/** A log that writes through `log` and emits each record on `record$` as it came, whatever level is written. */
export const observableLog = (log: Log): { log: Log; record$: Subject<LogRecord> } => {
  const record$ = new Subject<LogRecord>(); // the wire from the callers of the log to its clients
  return {
    record$,
    log: (level, message, fields) => {
      log(level, message, fields);
      record$.next({ level, message, fields });
    },
  };
};
