/** `codex-rx exec-server`: offers the processes, files and HTTP of this machine to a Codex client. */
import { type Observable, shareReplay } from 'rxjs';
import { isLoopback, knowsUsers, readToken, serveSockets, serveStdio, toListenAddress } from '../../app/exec';
import { createLog, type OwnedLog } from '../../app/log';
import { secretValuesOf } from '../../log';
import { toTimerMs } from '../../streams';
import { defineCommand, type GivenTo } from '../command';
import { exitCode } from '../exitCode';
import { LOG_OPTIONS } from '../logOptions';
import type { Options } from '../option';
import { stopSignal } from '../stopSignal';
import { thisProcess } from '../thisProcess';

const CLIENTS = 'Clients:';
const LIMITS = 'Limits:';
const FLUSH_LOG_MS = 200;
const MB = 1_048_576;

const options = {
  listen: {
    group: CLIENTS,
    type: 'string',
    default: 'stdio',
    describe: 'Where clients connect: stdio (the standard streams), or ws://IP:PORT (port 0: any free one)',
  },
  'token-file': {
    group: CLIENTS,
    type: 'string',
    describe: 'File (mode 0600) with the token that clients must send; required where other machines can reach IP',
  },
  'allow-other-users': {
    group: CLIENTS,
    type: 'boolean',
    describe: 'Accept clients of every user of this machine without a token',
  },
  'session-grace-s': {
    group: CLIENTS,
    type: 'number',
    above: 0,
    default: 30,
    describe: 'Seconds that processes keep running after their connection is lost, for the client to come back',
  },
  'max-connections': { group: LIMITS, type: 'number', above: 0, default: 128, describe: 'Connections at a time' },
  'max-sessions': {
    group: LIMITS,
    type: 'number',
    above: 0,
    default: 256,
    describe: 'Sessions at a time, including those that wait for their client',
  },
  'max-processes': { group: LIMITS, type: 'number', above: 0, default: 512, describe: 'Running processes at a time' },
  'retain-mb': {
    group: LIMITS,
    type: 'number',
    above: 0,
    default: 64,
    describe: 'MB of output kept for later reads, of all processes together; at most 1 MB of each',
  },
  ...LOG_OPTIONS,
} as const satisfies Options;

type ExecServer = GivenTo<typeof options, Record<never, never>>;

/** An address that other machines can reach needs a token, and the token's file must be private. */
const problem = (given: ExecServer): string | undefined => {
  const { listen, 'token-file': file } = given;
  try {
    const address = toListenAddress(listen);
    if (file !== undefined) {
      if (address === 'stdio') return '--token-file goes with --listen ws://IP:PORT';
      readToken(file);
    } else if (address !== 'stdio' && !isLoopback(address)) {
      return `Other machines can reach ${address.host}, and whoever reaches an exec-server can run anything: protect it by --token-file FILE`;
    } else if (address !== 'stdio' && !given['allow-other-users'] && !knowsUsers()) {
      return 'This system does not list which user a connection comes from, so every user of it could run anything as you: use --token-file FILE or --listen stdio, or accept them by --allow-other-users';
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

export const execServer = defineCommand({
  usage: '$0 exec-server [--listen stdio|ws://IP:PORT]',
  positionals: {},
  options,
  behind: 'nothing',
  examples: [
    ['$0 exec-server --listen stdio', 'what a client starts, here or through ssh'],
    ['$0 exec-server --listen ws://127.0.0.1:0', 'prints ws://IP:PORT, for clients on this machine'],
    ['$0 exec-server --listen ws://10.0.0.5:4500 --token-file t', 'for clients on other machines that send the token'],
  ],
  problem,
  run: (given) => {
    const { stderr, env } = process;
    const token = given['token-file'] === undefined ? undefined : readToken(given['token-file']);
    const secrets = () => [...secretValuesOf(env), ...(token === undefined ? [] : [token])];
    const log = createLog({ level: given['log-level'], file: given['log-file'], stderr, secrets, env });
    const exit = (code: number) => void log.flush(FLUSH_LOG_MS).finally(() => process.exit(code));
    serve(given, log, token).subscribe({
      error: (error: Error) => {
        log('error', 'the exec-server failed', { stack: error.stack });
        exit(exitCode.failed);
      },
      complete: () => exit(exitCode.ok),
    });
  },
});

/** Serves until a signal comes; on the standard streams also until input ends or the client breaks the protocol. */
const serve = (given: ExecServer, log: OwnedLog, token: string | undefined): Observable<never> => {
  const { stdin, stdout } = process;
  const limits = {
    maxProcesses: given['max-processes'],
    retainBytes: given['retain-mb'] * MB,
    maxConnections: given['max-connections'],
    maxSessions: given['max-sessions'],
    graceMs: toTimerMs(given['session-grace-s'] * 1000),
  };
  const stop$ = stopSignal().pipe(shareReplay(1));
  const load = (name: string): unknown => require(name);
  const deps = { stop$, log, processInfo: thisProcess(), load };
  const address = toListenAddress(given.listen);
  return address === 'stdio'
    ? serveStdio({ stdin, stdout, ...deps }, limits)
    : serveSockets({ stdout, ...deps }, { ...limits, ...address, token, allowOtherUsers: given['allow-other-users'] });
};
