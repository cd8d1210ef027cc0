/** Owns the process around the exec-server: its streams, signals, exit code. */
import { fromEvent, merge, take } from 'rxjs';
import { serveExec } from '../app/exec';
import { createLog } from '../app/log';
import type { LogLevel } from '../log';
import { secretsOf } from './secretsOf';

/** What the command line says. */
export type ExecArguments = {
  listen: string;
  'max-processes': number;
  'retain-mb': number;
  'log-level': LogLevel;
  'log-file'?: string;
};

const FLUSH_LOG_MS = 200;
const MB = 1_048_576;

/** Offers processes on the standard streams until input ends, the client breaks the protocol, or a signal comes. */
export const execProcess = (args: ExecArguments): void => {
  const { stdin, stdout, stderr, env } = process;
  const log = createLog({ level: args['log-level'], file: args['log-file'], stderr, secrets: secretsOf(env), env });
  const exit = (code: number) => void log.flush(FLUSH_LOG_MS).finally(() => process.exit(code));
  const stop$ = merge(fromEvent(process, 'SIGTERM'), fromEvent(process, 'SIGINT')).pipe(take(1));
  serveExec(
    { stdin, stdout, stop$, log, env },
    { maxProcesses: args['max-processes'], retainBytes: args['retain-mb'] * MB },
  ).subscribe({
    error: (error: Error) => {
      log('error', 'the exec-server failed', { stack: error.stack });
      exit(1);
    },
    complete: () => exit(0),
  });
};
