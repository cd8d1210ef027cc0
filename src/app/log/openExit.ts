/** Owns where lines go and how they look there: words to stderr, JSON to a file, and stderr again when the file fails. */
import type { Writable } from 'node:stream';
import type { LogFields, LogLevel } from '../../log';
import { openLogFile } from './openLogFile';
import { type Outlet, outlet } from './outlet';
import { type LogRecord, toJsonLine, toTextLine } from './toLine';

/** A way out together with how records look on it. */
export type Exit = Outlet & { toLine: (record: LogRecord) => string };

type ExitDeps = {
  file?: string;
  stderr: Writable & { isTTY?: boolean };
  env?: { NO_COLOR?: string; TERM?: string };
  /** Makes the records that the way out says about itself. */
  record: (level: LogLevel, message: string, fields: LogFields) => LogRecord;
};

const MAX_WAITING_BYTES = 256 * 1024;

const hasColour = ({ stderr, env }: ExitDeps) => stderr.isTTY === true && !env?.NO_COLOR && env?.TERM !== 'dumb';

/** Opens the way out. Gives a function that tells the one to use now: a failing file is told once, then stderr takes over. */
export const openExit = (deps: ExitDeps): (() => Exit) => {
  const { file, stderr, record } = deps;
  const exitTo = (stream: Writable, toLine: Exit['toLine'], failed?: (error: unknown) => void): Exit => ({
    toLine,
    ...outlet({
      stream,
      maxWaitingBytes: MAX_WAITING_BYTES,
      toldLoss: (count) => toLine(record('warning', 'log records dropped: nobody took them in time', { count })),
      failed,
    }),
  });
  const words = exitTo(stderr, toTextLine({ colour: hasColour(deps) }));
  if (file === undefined) return () => words;

  let broken = false;
  const fallBack = (error: unknown) => {
    if (broken) return;
    broken = true;
    words.write(words.toLine(record('error', 'log file unusable: records go to stderr', { error: String(error) })));
  };
  try {
    const lines = exitTo(openLogFile(file), toJsonLine, fallBack);
    return () => (broken ? words : lines);
  } catch (error) {
    fallBack(error);
    return () => words;
  }
};
