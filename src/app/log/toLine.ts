/** Owns how a record looks as one line: words for people on stderr, JSON in a file. */
import type { LogLevel } from '../../log';

/** A record ready to be written: `time` is ISO 8601 in UTC, `fields` are plain and without secrets. */
export type LogRecord = { time: string; level: LogLevel; message: string; fields: Record<string, unknown> };

/** Newlines would break the one line, escape sequences would command the terminal. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

const visible = (text: string) =>
  text.replace(CONTROLS, (c) =>
    c === '\n'
      ? '\\n'
      : c === '\r'
        ? '\\r'
        : c === '\t'
          ? '\\t'
          : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const COLOURS: Record<LogLevel, string> = { debug: '90', info: '32', notice: '36', warning: '33', error: '31' };

const inColour = (level: LogLevel) => `\u001b[${COLOURS[level]}m${level}\u001b[39m`;

const value = (held: unknown): string =>
  typeof held === 'string' && /^[\w./:@+-]+$/.test(held) ? held : JSON.stringify(held);

/** `2026-11-20T23:01:02.345Z warning message key=value …` */
export const toTextLine =
  ({ colour }: { colour: boolean }) =>
  ({ time, level, message, fields }: LogRecord): string =>
    [
      time,
      colour ? inColour(level) : level,
      visible(message),
      ...Object.entries(fields).map(([key, held]) => visible(`${key}=${value(held)}`)),
    ].join(' ');

/** `{"time":…,"level":…,"message":…,"fields":{…}}`; a record without fields has no `fields`. */
export const toJsonLine = ({ time, level, message, fields }: LogRecord): string =>
  JSON.stringify({ time, level, message, ...(Object.keys(fields).length === 0 ? {} : { fields }) });
