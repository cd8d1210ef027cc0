/** A log whose records are also a stream, for clients that show them. */
import { Subject } from 'rxjs';
import type { Log, LogRecord } from '../log';

/**
 * A log that writes through `log` and emits each record on `record$`, whatever level is written.
 * @param clean takes the secrets out of a record
 */
export const observableLog = (
  log: Log,
  clean: (record: LogRecord) => LogRecord,
): { log: Log; record$: Subject<LogRecord> } => {
  const record$ = new Subject<LogRecord>(); // the wire from the callers of the log to its clients
  return {
    record$,
    log: (level, message, fields) => {
      log(level, message, fields);
      record$.next(clean({ level, message, fields }));
    },
  };
};
