/** Owns the port through which every room reports; who writes records, and where, is app's business. */

export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error';

/** Structured facts beside the message; values must be JSON. Never tokens, never keys. */
export type LogFields = Record<string, unknown>;

/** Where a room reports what happened; a call must not throw and must not block. */
export type Log = (level: LogLevel, message: string, fields?: LogFields) => void;

/** A log that forgets: the default of specs. */
export const silentLog: Log = () => {};
