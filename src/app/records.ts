/** Owns handing the log's records to whoever shows them to a client, besides writing them. */
import { Subject } from 'rxjs';
import type { Log, LogRecord } from '../log';

/** A log that writes through `log` and emits each record on `record$`, whatever level is written. */
export const recordLog = (log: Log): { log: Log; record$: Subject<LogRecord> } => {
  const record$ = new Subject<LogRecord>();
  return {
    record$,
    log: (level, message, fields) => {
      log(level, message, fields);
      record$.next({ level, message, fields });
    },
  };
};
