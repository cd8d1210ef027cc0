/** Where log lines go: text to stderr, or JSON to a file, and to stderr again once the file fails. */
import type { Writable } from 'node:stream';
import type { LogFields, LogLevel } from '../../protocol/log';
import { type BoundedWriter, boundedWriter } from './boundedWriter';
import { type LogRecord, toJsonLine, toTextLine } from './formatRecord';
import { openLogFile } from './openLogFile';

/** A writer, and the form of its lines. */
export type Sink = BoundedWriter & { toLine: (record: LogRecord) => string };

/** Makes the records that the log writes about itself. */
export type NewRecord = (level: LogLevel, message: string, fields: LogFields) => LogRecord;

export type SinkDeps = {
  file?: string;
  stderr: Writable & { isTTY?: boolean };
  env?: { NO_COLOR?: string; TERM?: string };
  record: NewRecord;
};

const MAX_WAITING_BYTES = 256 * 1024;

const hasColour = ({ stderr, env }: SinkDeps) => stderr.isTTY === true && !env?.NO_COLOR && env?.TERM !== 'dumb';

/** Opens the sink. The function it returns gives the one to use now: the file, or stderr after the file's first failure. */
export const openSink = (deps: SinkDeps): (() => Sink) => {
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
    sink = sinkOn(deps, openLogFile(file), { toLine: toJsonLine, onFailure });
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
