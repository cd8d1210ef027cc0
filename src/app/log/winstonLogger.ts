/** Owns winston, which is loaded here and only when the first record passes: it costs 28 ms of start-up. */
import type { LogLevel } from '../../log';
import type { LogRecord } from './toLine';

/** Most urgent first, as winston counts. */
const LEVELS: Record<LogLevel, number> = { error: 0, warning: 1, notice: 2, info: 3, debug: 4 };

/** True when a record of `level` passes a log set to `least`. */
export const passesLevel = (level: LogLevel, least: LogLevel): boolean => LEVELS[level] <= LEVELS[least];

type LoggerDeps = {
  /** Hides secrets and makes the fields plain. */
  clean: (record: LogRecord) => LogRecord;
  toLine: (record: LogRecord) => string;
  write: (line: string) => void;
};

/** Loads winston and makes the function that takes records. */
export const winstonLogger = ({ clean, toLine, write }: LoggerDeps): ((record: LogRecord) => void) => {
  const winston = require('winston') as typeof import('winston');
  const { Writable } = require('node:stream') as typeof import('node:stream');
  const line$ = new Writable({
    decodeStrings: false,
    write: (line: string, _encoding, done) => {
      write(line);
      done();
    },
  });
  const { combine, printf } = winston.format;
  const logger = winston.createLogger({
    levels: LEVELS,
    level: 'debug', // createLog has asked already
    exitOnError: false,
    format: combine(
      winston.format((record) => Object.assign(record, clean(record as unknown as LogRecord)))(),
      printf((record) => toLine(record as unknown as LogRecord)),
    ),
    transports: [new winston.transports.Stream({ stream: line$, eol: '' })],
  });
  logger.on('error', () => {}); // a failing format throws at its caller as well, who counts it
  return (record) => void logger.log({ ...record });
};
