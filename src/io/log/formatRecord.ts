/** A log record as one line: text for people on stderr, JSON in a file. Own code: the formats of winston let control sequences through. */
import type { LogLevel } from '../../protocol/log';
import { toVisible } from './toVisible';

/** A record ready to be written: `time` is ISO 8601 in UTC, `fields` are plain and without secrets. */
export type LogRecord = { time: string; level: LogLevel; message: string; fields: Record<string, unknown> };

const COLOURS: Record<LogLevel, string> = { debug: '90', info: '32', notice: '36', warning: '33', error: '31' };

const inColour = (level: LogLevel) => `\u001b[${COLOURS[level]}m${level}\u001b[39m`;

const valueText = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:@+-]+$/.test(value) ? value : JSON.stringify(value);

/** `2026-11-20T23:01:02.345Z warning message key=value …` */
export const toTextLine =
  ({ colour }: { colour: boolean }) =>
  ({ time, level, message, fields }: LogRecord): string =>
    [
      time,
      colour ? inColour(level) : level,
      toVisible(message),
      ...Object.entries(fields).map(([key, value]) => toVisible(`${key}=${valueText(value)}`)),
    ].join(' ');

/** `{"time":…,"level":…,"message":…,"fields":{…}}`; a record without fields has no `fields`. */
export const toJsonLine = ({ time, level, message, fields }: LogRecord): string =>
  JSON.stringify({ time, level, message, ...(Object.keys(fields).length === 0 ? {} : { fields }) });
