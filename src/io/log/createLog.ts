/** The log of the process: its level, its rate, its secrets, and where its lines go. It never throws and never blocks. */
import type { Writable } from 'node:stream';
import type { Log, LogFields, LogLevel, LogRecord as OpenRecord } from '../../protocol/log';
import { lazy } from '../../streams/lazy';
import { limitRate, NO_RECORDS } from './limitRate';
import {
  type BoundedWriter,
  boundedWriter,
  type LogRecord,
  passesLevel,
  toJsonLine,
  toTextLine,
  winstonLogger,
} from './winstonLogger';

/** What a log needs. */
export type LogOptions = {
  /** The least severe level that is written. */
  level: LogLevel;
  /** Absolute path; records go there as JSON lines instead of to stderr. */
  file?: string;
  /** Where lines for people go; a terminal when `isTTY`. */
  stderr: Writable & { isTTY?: boolean };
  /** Values that never appear, such as API keys in the environment; collected by the first record. */
  secrets: () => readonly string[];
  /** NO_COLOR and TERM=dumb keep colours from a terminal. */
  env?: { NO_COLOR?: string; TERM?: string };
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Runs something once after waitMs, without keeping the process alive. */
  later?: (run: () => void, waitMs: number) => void;
};

/** A log that can be waited for. */
export type OwnedLog = Log & {
  /** Resolves when every line is written, or after waitMs; never rejects. */
  flush: (waitMs: number) => Promise<void>;
  /** A record as it would be written, for other places that show it. */
  clean: (record: OpenRecord) => OpenRecord;
};

/** What the first record loads. */
const parts = {
  openLogFile: lazy(() => (require('../disk/namedHere') as typeof import('../disk/namedHere')).openLogFile),
  redactText: lazy(() => (require('./redactText') as typeof import('./redactText')).redactText),
  toPlain: lazy(() => (require('./toPlain') as typeof import('./toPlain')).toPlain),
};

const RECORDS_PER_SECOND = 200;
const MAX_TEXT_CHARS = 8192;

const runLater = (run: () => void, waitMs: number) => void setTimeout(run, waitMs).unref();

/** Runs what must not fail its caller. The first failure is written to stderr plainly, without winston. */
const withoutThrowing = (writeLine: (line: string) => void) => {
  let hasFailed = false;
  return (body: () => void) => {
    try {
      body();
    } catch (error) {
      if (!hasFailed) writeLine(`${new Date().toISOString()} error the log failed ${String(error)}\n`);
      hasFailed = true;
    }
  };
};

/** Hides the secrets in a record and makes its fields plain. */
const cleaner = ({ secrets }: LogOptions) => {
  const hide = parts.redactText()({ secrets: secrets(), maxChars: MAX_TEXT_CHARS });
  const plain = parts.toPlain()(hide);
  return <R extends OpenRecord>(dirty: R) => ({
    ...dirty,
    message: hide(String(dirty.message)),
    fields: plain(dirty.fields ?? {}),
  });
};

type OpenLogDeps = LogOptions &
  Required<Pick<LogOptions, 'now' | 'later'>> & { clean: (record: LogRecord) => LogRecord };

/** Made by the first record: the sink, and the writer in front of it, which loads winston later. */
const openLog = ({ now, later, clean, ...options }: OpenLogDeps) => {
  const record: NewRecord = (level, message, fields) => ({
    time: new Date(now()).toISOString(),
    level,
    message,
    fields,
  });
  const sink = openSink({ ...options, record });
  const write = winstonLogger({
    clean,
    toLine: (one) => sink().toLine(one),
    write: (line) => sink().write(line),
    later,
  });
  return {
    idle: () => sink().idle(),
    write: (level: LogLevel, message: string, fields: LogFields) => write(record(level, message, fields)),
  };
};

/**
 * Makes the log: winston behind the port `Log`, to stderr or to a file.
 * The file is opened by the first record that passes the level; winston is loaded a second later.
 * Beyond 200 records a second the others are counted and reported in one record; so are lines that nobody reads.
 */
export const createLog = (options: LogOptions): OwnedLog => {
  const { level: least, stderr, now = Date.now, later = runLater } = options;
  const safely = withoutThrowing((line) => stderr.on('error', () => {}).write(line));
  const clean = lazy(() => cleaner(options));
  let opened: ReturnType<typeof openLog> | undefined;
  const write = (level: LogLevel, message: string, fields: LogFields) => {
    opened ??= openLog({ ...options, now, later, clean: clean() });
    opened.write(level, message, fields);
  };
  const rate = rateLimiter({
    perSecond: RECORDS_PER_SECOND,
    now,
    later: (run, waitMs) => later(() => safely(run), waitMs),
    report: (count) =>
      write('warning', `log records were dropped: more than ${RECORDS_PER_SECOND} a second`, { count }),
  });
  const log: Log = (level, message, fields = {}) =>
    safely(() => {
      if (passesLevel(level, least) && rate.passes()) write(level, message, fields);
    });
  const flush = async (waitMs: number) => {
    safely(rate.flush);
    if (opened === undefined) return;
    await new Promise(setImmediate); // winston passes its first records on a tick later
    await Promise.race([opened.idle(), new Promise<void>((wake) => later(wake, waitMs))]);
  };
  return Object.assign(log, { flush, clean: (record: OpenRecord) => clean()(record) });
};

/** Limits the rate of the log's records, and reports how many it dropped. Own code: winston limits no rate. */
type RateLimiterDeps = {
  perSecond: number;
  now: () => number;
  /** Runs something once after waitMs, without keeping the process alive. */
  later: (run: () => void, waitMs: number) => void;
  /** Called with the number of records that were dropped, at the latest a second after the first of them. */
  report: (dropped: number) => void;
};

type RateLimiter = {
  /** Is asked before each record. */
  passes: () => boolean;
  /** Reports at once what was dropped and not yet reported. */
  flush: () => void;
};

const REPORT_AFTER_MS = 1_000;

/** Makes a limiter. It counts in a variable, as records come one by one from anywhere. */
export const rateLimiter = ({ perSecond, now, later, report }: RateLimiterDeps): RateLimiter => {
  const limit = limitRate({ perSecond });
  let window = NO_RECORDS;
  const flush = () => {
    const { dropped } = window;
    window = { ...window, dropped: 0 };
    if (dropped > 0) report(dropped);
  };
  const passes = (): boolean => {
    const verdict = limit(window, now());
    window = verdict.window;
    if (verdict.droppedBefore > 0) report(verdict.droppedBefore);
    if (!verdict.passes && window.dropped === 1) later(flush, REPORT_AFTER_MS);
    return verdict.passes;
  };
  return { passes, flush };
};

type Sink = BoundedWriter & { toLine: (record: LogRecord) => string };

/** Makes the records that the log writes about itself. */
type NewRecord = (level: LogLevel, message: string, fields: LogFields) => LogRecord;

type SinkDeps = {
  file?: string;
  stderr: Writable & { isTTY?: boolean };
  env?: { NO_COLOR?: string; TERM?: string };
  record: NewRecord;
};

const MAX_WAITING_BYTES = 256 * 1024;

const hasColour = ({ stderr, env }: SinkDeps) => stderr.isTTY === true && !env?.NO_COLOR && env?.TERM !== 'dumb';

/** Opens the sink. The function it returns gives the one to use now: the file, or stderr after the file's first failure. */
const openSink = (deps: SinkDeps): (() => Sink) => {
  const { file, stderr, record } = deps;
  const text = sinkOn(deps, stderr, { toLine: toTextLine({ colour: hasColour(deps) }) });
  if (file === undefined) return () => text;
  let sink = text;
  const fallBack = (error: unknown) => {
    sink = text;
    const fields = { file, error: String(error) };
    text.write(text.toLine(record('error', 'the log file cannot be written; records go to stderr', fields)));
  };
  try {
    const fallBackOnce = once(fallBack);
    const onFailure = (failure: Error, line: string) => {
      fallBackOnce(failure);
      text.write(line); // the record that the file did not take
    };
    sink = sinkOn(deps, parts.openLogFile()(file), { toLine: toJsonLine, onFailure });
  } catch (error) {
    fallBack(error);
  }
  return () => sink;
};

type Form = { toLine: Sink['toLine']; onFailure?: (error: Error, line: string) => void };

const sinkOn = ({ record }: SinkDeps, stream: Writable, { toLine, onFailure }: Form): Sink => ({
  toLine,
  ...boundedWriter({
    stream,
    maxWaitingBytes: MAX_WAITING_BYTES,
    toLossLine: (count) => toLine(record('warning', 'log records were dropped: the reader is too slow', { count })),
    onFailure,
  }),
});

const once = <T>(act: (value: T) => void): ((value: T) => void) => {
  let isDone = false;
  return (value) => {
    if (!isDone) act(value);
    isDone = true;
  };
};
