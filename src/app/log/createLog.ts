/** Owns the wiring of the log: level, burst limit, secrets, and where lines go. It must never throw and never wait. */
import type { Writable } from 'node:stream';
import { type Log, type LogFields, type LogLevel, type LogRecord as OpenRecord, redactText } from '../../log';
import { lazily } from '../../protocol';
import { holdBursts } from './holdBursts';
import { openExit } from './openExit';
import type { LogRecord } from './toLine';
import { toPlain } from './toPlain';
import { passesLevel, winstonLogger } from './winstonLogger';

/** What a log needs. */
export type LogOptions = {
  /** The least urgent level that is written. */
  level: LogLevel;
  /** Absolute path; records go there as JSON lines instead of to stderr. */
  file?: string;
  /** Where lines for people go; a terminal when `isTTY`. */
  stderr: Writable & { isTTY?: boolean };
  /** Values that never appear, such as those of API keys in the environment. */
  secrets: readonly string[];
  /** NO_COLOR and TERM=dumb keep colours from a terminal. */
  env?: { NO_COLOR?: string; TERM?: string };
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Runs something once after waitMs, without keeping the process alive. */
  later?: (run: () => void, waitMs: number) => void;
};

/**
 * A log that can be waited for: `flush` ends when every line has left, or after waitMs. It never rejects.
 * `clean` gives a record as it would be written, for whoever shows it elsewhere.
 */
export type OwnedLog = Log & { flush: (waitMs: number) => Promise<void>; clean: (record: OpenRecord) => OpenRecord };

const RECORDS_PER_SECOND = 200;
const MAX_TEXT_CHARS = 8192;

const runLater = (run: () => void, waitMs: number) => void setTimeout(run, waitMs).unref();

/** Runs what must not fail the one who logs; the first failure is told plainly, without winston. */
const withoutThrowing = (tell: (line: string) => void) => {
  let told = false;
  return (body: () => void) => {
    try {
      body();
    } catch (error) {
      if (!told) tell(`${new Date().toISOString()} error log failed ${String(error)}\n`);
      told = true;
    }
  };
};

/** Hides secrets in a record and makes its fields plain. */
const cleaner = ({ secrets }: LogOptions) => {
  const hide = redactText({ secrets, maxChars: MAX_TEXT_CHARS });
  const plain = toPlain(hide);
  return <R extends OpenRecord>(dirty: R) => ({
    ...dirty,
    message: hide(String(dirty.message)),
    fields: plain(dirty.fields ?? {}),
  });
};

/** The part that is made at the first record: winston, the way out. */
const openLog = (options: LogOptions, now: () => number, clean: (record: LogRecord) => LogRecord) => {
  const record = (level: LogLevel, message: string, fields: LogFields): LogRecord => ({
    time: new Date(now()).toISOString(),
    level,
    message,
    fields,
  });
  const exit = openExit({ ...options, record });
  const write = winstonLogger({
    clean,
    toLine: (one) => exit().toLine(one),
    write: (line) => exit().write(line),
  });
  return {
    idle: () => exit().idle(),
    write: (level: LogLevel, message: string, fields: LogFields) => write(record(level, message, fields)),
  };
};

/**
 * Makes the log of the process: winston behind the `Log` port, to stderr or a file.
 * Winston is loaded, and the file opened, at the first record that passes the level.
 * Past 200 records a second the others are counted and told in one record; so are lines nobody takes.
 */
export const createLog = (options: LogOptions): OwnedLog => {
  const { level: least, stderr, now = Date.now, later = runLater } = options;
  const safely = withoutThrowing((line) => stderr.on('error', () => {}).write(line));
  const clean = lazily(() => cleaner(options));
  let opened: ReturnType<typeof openLog> | undefined;
  const write = (level: LogLevel, message: string, fields: LogFields) => {
    opened ??= openLog(options, now, clean());
    opened.write(level, message, fields);
  };
  const bursts = holdBursts({
    perSecond: RECORDS_PER_SECOND,
    now,
    later: (run, waitMs) => later(() => safely(run), waitMs),
    tell: (count) => write('warning', `log records held back: more than ${RECORDS_PER_SECOND} a second`, { count }),
  });

  const log: Log = (level, message, fields = {}) =>
    safely(() => {
      if (passesLevel(level, least) && bursts.mayPass()) write(level, message, fields);
    });

  const flush = async (waitMs: number) => {
    safely(bursts.confess);
    if (opened === undefined) return;
    await new Promise(setImmediate); // winston hands its first records on a tick later
    await Promise.race([opened.idle(), new Promise<void>((wake) => later(wake, waitMs))]);
  };

  return Object.assign(log, { flush, clean: (record: OpenRecord) => clean()(record) });
};
