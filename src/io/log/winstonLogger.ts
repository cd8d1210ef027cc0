/** Winston, which formats and levels the records: text for people on stderr, JSON in a file. */
import { Writable } from 'node:stream';
import type { LogLevel } from '../../protocol/log';
import { lazy } from '../../streams/lazy';
import { reasonOf } from '../../streams/text/reasons';
import { toVisible } from '../../streams/text/visible';

/** Loaded by the first record: it costs 28 ms. */
const winston = lazy(() => require('winston') as typeof import('winston'));

/** The most severe first, as winston numbers them. */
const LEVELS: Record<LogLevel, number> = { error: 0, warning: 1, notice: 2, info: 3, debug: 4 };

/** True when a record of `level` passes a log set to `least`. */
export const passesLevel = (level: LogLevel, least: LogLevel): boolean => LEVELS[level] <= LEVELS[least];

type LoggerDeps = {
  /** Hides secrets and makes the fields plain. */
  clean: (record: LogRecord) => LogRecord;
  toLine: (record: LogRecord) => string;
  write: (line: string) => void;
};

/** Makes the function that takes records. If winston cannot be loaded, records are written without it until it can. */
export const winstonLogger = (deps: LoggerDeps): ((record: LogRecord) => void) => {
  let logger: ReturnType<typeof withWinston> | undefined;
  let hasFailed = false;
  const plain = (record: LogRecord) => deps.write(deps.toLine(deps.clean(record)));
  return (record) => {
    try {
      logger ??= withWinston(deps);
    } catch (error) {
      if (!hasFailed) plain({ ...record, level: 'warning', message: NO_WINSTON, fields: { reason: reasonOf(error) } });
      hasFailed = true;
      return plain(record);
    }
    logger(record);
  };
};

const NO_WINSTON = 'the formatter of the log cannot be loaded; records are written without it';

const withWinston = ({ clean, toLine, write }: LoggerDeps): ((record: LogRecord) => void) => {
  const { createLogger, format, transports } = winston();
  const logger = createLogger({
    levels: LEVELS,
    level: 'debug', // createLog has checked the level
    exitOnError: false,
    format: format.combine(
      format((info) => Object.assign(info, clean(toRecord(info))))(),
      format.printf((info) => toLine(toRecord(info))),
    ),
    transports: [new transports.Stream({ stream: lineWriter(write), eol: '' })],
  });
  logger.on('error', () => {}); // a format that fails throws at the caller as well
  return (record) => void logger.log({ ...record });
};

/** Winston types a record as any object; each record here was passed in by the function above. */
const toRecord = (info: object): LogRecord => info as LogRecord;

const lineWriter = (write: (line: string) => void): Writable =>
  new Writable({
    decodeStrings: false,
    write: (line: string, _encoding, done) => {
      write(line);
      done();
    },
  });

/** A record that is ready to be written. */
export type LogRecord = {
  /** ISO 8601 in UTC. */
  time: string;
  level: LogLevel;
  message: string;
  /** Plain, and without secrets. */
  fields: Record<string, unknown>;
};

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
