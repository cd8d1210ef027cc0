/** `codex-rx exec-server`: offers the processes, files and HTTP of this machine to a Codex client. */

import { type Observable, shareReplay } from 'rxjs';
import {
  checkSocketFolder,
  isLoopback,
  knowsUsers,
  readToken,
  serveSockets,
  serveStdio,
  serveUnix,
  toListenAddress,
} from '../../app/exec';
import { createLog, type OwnedLog } from '../../app/log';
import { secretValuesOf } from '../../log';
import { toTimerMs } from '../../streams';
import { reasonOf } from '../../text';
import { defineCommand } from '../command';
import { ceilingOf, ceilingProblem } from '../execServer/ceiling';
import { type ExecServer, options } from '../execServer/options';
import { exitCode } from '../exitCode';
import { stopSignal } from '../stopSignal';
import { thisProcess } from '../thisProcess';

const FLUSH_LOG_MS = 200;
const MB = 1_048_576;

/** An address that other machines can reach needs a token, and the token's file must be private. */
const problem = (given: ExecServer): string | undefined => {
  const { listen, 'token-file': file } = given;
  const fault = ceilingProblem(given);
  if (fault !== undefined) return fault;
  try {
    const address = toListenAddress(listen);
    const isPrivate = address === 'stdio' || 'path' in address;
    if (address !== 'stdio' && 'path' in address) checkSocketFolder(address.path);
    if (file !== undefined) {
      if (isPrivate) return '--token-file goes with --listen ws://IP:PORT';
      readToken(file);
    } else if (!isPrivate && !isLoopback(address)) {
      return `Other machines can reach ${address.host}, and whoever reaches an exec-server can run anything: protect it by --token-file FILE`;
    } else if (!isPrivate && !given['allow-other-users'] && !knowsUsers()) {
      return 'This system does not list which user a connection comes from, so every user of it could run anything as you: use --listen unix:///PATH, --token-file FILE or --listen stdio, or accept them by --allow-other-users';
    }
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
};

export const execServer = defineCommand({
  usage: '$0 exec-server [--listen stdio|ws://IP:PORT|unix:///PATH]',
  positionals: {},
  options,
  behind: 'nothing',
  examples: [
    ['$0 exec-server --listen stdio', 'what a client starts, here or through ssh'],
    ['$0 exec-server --listen ws://127.0.0.1:0', 'prints ws://IP:PORT, for clients on this machine'],
    ['$0 exec-server --listen ws://10.0.0.5:4500 --token-file t', 'for clients on other machines that send the token'],
    [
      '$0 exec-server --listen unix:///run/user/1000/exec --root .',
      'for this user; its clients write in this folder only',
    ],
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
    ceiling: ceilingOf(given, thisProcess()),
  };
  const stop$ = stopSignal().pipe(shareReplay(1));
  const deps = { stop$, log, processInfo: thisProcess() };
  const address = toListenAddress(given.listen);
  if (address === 'stdio') return serveStdio({ stdin, stdout, ...deps }, limits);
  return 'path' in address
    ? serveUnix({ stdout, ...deps }, { ...limits, ...address })
    : serveSockets({ stdout, ...deps }, { ...limits, ...address, token, allowOtherUsers: given['allow-other-users'] });
};
