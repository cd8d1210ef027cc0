/** Owns the port through which every room reports, and what must never be reported; who writes records is app's business. */
export { isSecretName, REDACTED, redactText } from './redactText';

export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Structured facts beside the message; values must be JSON. Never tokens, never keys. */
export type LogFields = Record<string, unknown>;

export type LogRecord = { level: LogLevel; message: string; fields?: LogFields };

/** Where a room reports what happened; a call must not throw and must not block. */
export type Log = (level: LogLevel, message: string, fields?: LogFields) => void;

/** A log that forgets: the default of specs. */
export const silentLog: Log = () => {};
