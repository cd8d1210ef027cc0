/** The port through which every room logs. The app decides where records are written. */

/** The levels, from the least to the most severe. */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error'] as const;
/** How severe a record is. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Structured facts beside the message; values must be JSON. Never a token, never a key. */
export type LogFields = Record<string, unknown>;

/** A log record, before it is formatted. */
export type LogRecord = { level: LogLevel; message: string; fields?: LogFields };

/** Takes a record. A call does not throw and does not block. */
export type Log = (level: LogLevel, message: string, fields?: LogFields) => void;

/** A log that drops every record: the default of specs. */
export const silentLog: Log = () => {};
