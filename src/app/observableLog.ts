/** Owns handing the log's records to whoever shows them to a client, besides writing them. */
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
  const record$ = new Subject<LogRecord>();
  return {
    record$,
    log: (level, message, fields) => {
      log(level, message, fields);
      record$.next(clean({ level, message, fields }));
    },
  };
};
