/** Owns the process around the exec-server: its streams, signals, exit code. */
import { fromEvent, merge, type Observable, shareReplay, take } from 'rxjs';
import { version } from '../../package.json';
import { isLoopback, readToken, serveSockets, serveStdio, toListenAddress } from '../app/exec';
import { createLog } from '../app/log';
import type { LogLevel } from '../log';
import { toTimerMs } from '../streams';
import { secretsOf } from './secretsOf';

/** What the command line says. */
export type ExecArguments = {
  listen: string;
  'token-file'?: string;
  'session-grace-s': number;
  'max-connections': number;
  'max-sessions': number;
  'max-processes': number;
  'retain-mb': number;
  'log-level': LogLevel;
  'log-file'?: string;
};

const FLUSH_LOG_MS = 200;
const MB = 1_048_576;

/** Where it may not listen; throws words for people. Part of reading the command line. */
export const checkListen = (args: Record<string, unknown>): true => {
  const address = toListenAddress(String(args.listen));
  const file = args['token-file'];
  if (file !== undefined) {
    if (address === 'stdio') throw new Error('--token-file goes with --listen ws://IP:PORT');
    readToken(String(file));
  } else if (address !== 'stdio' && !isLoopback(address)) {
    throw new Error(
      `${address.host} can be reached from other machines, and who reaches the exec-server can run anything: it needs --token-file FILE`,
    );
  }
  return true;
};

/** Offers processes until a signal comes; on the standard streams also until input ends or the client breaks the protocol. */
export const execProcess = (args: ExecArguments): void => {
  const { stderr, env } = process;
  const token = args['token-file'] === undefined ? undefined : readToken(args['token-file']);
  const secrets = [...secretsOf(env), ...(token === undefined ? [] : [token])];
  const log = createLog({ level: args['log-level'], file: args['log-file'], stderr, secrets, env });
  const exit = (code: number) => void log.flush(FLUSH_LOG_MS).finally(() => process.exit(code));
  serve(args, { log, env, token }).subscribe({
    error: (error: Error) => {
      log('error', 'the exec-server failed', { stack: error.stack });
      exit(1);
    },
    complete: () => exit(0),
  });
};

type Around = { log: ReturnType<typeof createLog>; env: NodeJS.ProcessEnv; token?: string };

const serve = (args: ExecArguments, { log, env, token }: Around): Observable<never> => {
  const { stdin, stdout } = process;
  const stop$ = merge(fromEvent(process, 'SIGTERM'), fromEvent(process, 'SIGINT')).pipe(take(1), shareReplay(1));
  const options = {
    maxProcesses: args['max-processes'],
    retainBytes: args['retain-mb'] * MB,
    maxConnections: args['max-connections'],
    maxSessions: args['max-sessions'],
    graceMs: toTimerMs(args['session-grace-s'] * 1000),
  };
  const load = (name: string): unknown => require(name);
  const around = { stop$, log, env, cwd: process.cwd(), platform: process.platform, version, load };
  const address = toListenAddress(args.listen);
  return address === 'stdio'
    ? serveStdio({ stdin, stdout, ...around }, options)
    : serveSockets({ stdout, ...around }, { ...options, ...address, token });
};
