/** A log whose records are also a stream, for clients that show them. */
import { Subject } from 'rxjs';
import type { Log, LogRecord } from '../../protocol/log';

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
