/**
 * Winston, which formats and levels the records: text for people on stderr, JSON in a file. They are written within a bound: a slow or closed stream costs
 * records, never time; winston itself buffers without a bound.
 */
import { Writable } from 'node:stream';
import type { LogLevel } from '../../protocol/log';
import { lazy } from '../../streams/lazy';
import { reasonOf } from '../../streams/text/reasons';
import { toVisible } from '../../streams/text/visible';

/** A hundred files, which take longer to load than the answer of a call that is rejected. */
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
  /** Runs something once after waitMs. */
  later: (run: () => void, waitMs: number) => void;
};

/** The call that logged the first record is over by then. */
const LOAD_AFTER_MS = 1_000;

/** Makes the function that takes records. The first, and those of a process that cannot load winston, are written without it, as the same lines. */
export const winstonLogger = (deps: LoggerDeps): ((record: LogRecord) => void) => {
  let logger: ReturnType<typeof withWinston> | undefined;
  let isLoading = false;
  let hasFailed = false;
  const plain = (record: LogRecord) => deps.write(deps.toLine(deps.clean(record)));
  const load = (record: LogRecord) => {
    isLoading = false; // the next record tries again if this fails
    try {
      logger = withWinston(deps);
    } catch (error) {
      if (!hasFailed) plain({ ...record, level: 'warning', message: NO_WINSTON, fields: { reason: reasonOf(error) } });
      hasFailed = true;
    }
  };
  return (record) => {
    if (logger !== undefined) return logger(record);
    plain(record);
    if (!isLoading) deps.later(() => load(record), LOAD_AFTER_MS);
    isLoading = true;
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

/** Writes lines without blocking. */
export type BoundedWriter = {
  /** Takes a line; never blocks. */
  write: (line: string) => void;
  /** Resolves once no line waits, whether it was written or failed. */
  idle: () => Promise<void>;
};

type BoundedWriterDeps = {
  stream: Writable;
  /** Bytes that may wait for a slow reader; further lines are dropped and counted. */
  maxWaitingBytes: number;
  /** The line that reports how many were dropped, written once the reader drains. */
  toLossLine: (dropped: number) => string;
  /** Called for every failed write, with its line: EPIPE, EBADF, ENOSPC. */
  onFailure?: (error: Error, line: string) => void;
};

type Failed = { error: Error; line: string };

/** Makes a writer. It counts in variables, as the stream calls back line by line. 'error' events end here. */
export const boundedWriter = ({ stream, maxWaitingBytes, toLossLine, onFailure }: BoundedWriterDeps): BoundedWriter => {
  const waiters = waitersForIdle();
  let waitingBytes = 0;
  let dropped = 0;
  stream.on('error', () => {}); // each write gets its own failure

  /** `records` is how many are lost if this line does not arrive. */
  const send = (line: string, records: number) => {
    const bytes = Buffer.from(`${line}\n`);
    waitingBytes += bytes.length;
    writeSafely(stream, bytes, (error) => settle(bytes.length, records, error && { error, line }));
  };
  const settle = (bytes: number, records: number, failed?: Failed | null) => {
    waitingBytes -= bytes;
    if (failed) {
      dropped += records;
      onFailure?.(failed.error, failed.line);
    } else if (dropped > 0 && waitingBytes <= maxWaitingBytes / 2) {
      const count = dropped;
      dropped = 0; // before the line is sent, which may fail at once
      send(toLossLine(count), count);
    }
    if (waitingBytes === 0) waiters.wake();
  };
  const write = (line: string) => {
    if (waitingBytes + line.length > maxWaitingBytes) dropped += 1;
    else send(line, 1);
  };
  return { write, idle: async () => (waitingBytes === 0 ? undefined : waiters.wait()) };
};

const waitersForIdle = () => {
  const waiters: (() => void)[] = [];
  return {
    wait: () => new Promise<void>((wake) => waiters.push(wake)),
    wake: () => {
      for (const wake of waiters.splice(0)) wake();
    },
  };
};

type Done = (error: Error | null | undefined) => void;

/** Node's own streams do not throw; a stand-in for one may. */
const writeSafely = (stream: Writable, bytes: Uint8Array, done: Done): void => {
  try {
    stream.write(bytes, done);
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
};
