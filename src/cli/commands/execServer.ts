/** `codex-rx exec-server`: offers the processes, files and HTTP of this machine to a Codex client. */
import { resolve } from 'node:path';
import { type Observable, shareReplay } from 'rxjs';
import { serveStdio, serveUnix } from '../../executor/listen/serveLines';
import { serveSockets } from '../../executor/listen/serveSockets';
import { readToken } from '../../executor/listen/token';
import { createLog, type OwnedLog } from '../../io/log/createLog';
import { secretValuesOf } from '../../io/log/secretValues';
import { toListenAddress } from '../../io/sockets/listenUnix';
import { lazy } from '../../streams/lazy';
import { toTimerMs } from '../../streams/time/wait';
import { defineCommand } from '../command';
import { plainOptions } from '../commonOptions';
import { exitWithoutLookups, remarkInput } from '../ending';
import { ceilingOf, ceilingProblem, type ExecServer, listenProblem, options } from '../execServer/options';
import { exitCode } from '../exitCode';
import { stopSignal } from '../signals';
import { thisProcess } from '../thisProcess';

const FLUSH_LOG_MS = 200;
const MB = 1_048_576;

export const execServer = defineCommand({
  usage: '$0 exec-server [--listen stdio|ws://IP:PORT|unix:///PATH|nats://HOST]',
  positionals: {},
  options,
  afterDashes: 'nothing',
  examples: [
    ['$0 exec-server --listen stdio', 'what a client starts, here or through ssh'],
    ['$0 exec-server --listen ws://127.0.0.1:0', 'prints ws://IP:PORT, for clients on this machine'],
    ['$0 exec-server --listen ws://10.0.0.5:4500 --token-file t', 'for clients on other machines that send the token'],
    [
      '$0 exec-server --listen unix:///run/user/1000/exec --root .',
      'for this user; its clients write in this folder only',
    ],
    [
      '$0 exec-server --listen nats://10.0.0.5 --name build-1 --pool linux',
      'an executor that clients find through NATS',
    ],
  ],
  problem: (given) => ceilingProblem(given) ?? listenProblem(given),
  run: (given) => {
    const { stderr, env } = process;
    const token = given['token-file'] === undefined ? undefined : readToken(given['token-file']);
    const secrets = () => [...secretValuesOf(env), ...(token === undefined ? [] : [token])];
    const log = createLog({ level: given['log-level'], file: given['log-file'], stderr, secrets, env });
    const exit = (code: number) => void log.flush(FLUSH_LOG_MS).finally(() => exitWithoutLookups(code));
    serve(given, log, token).subscribe({
      error: (error: Error) => {
        log('error', 'the exec-server failed', failureFields(error));
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
  const processInfo = thisProcess();
  const file = given['token-file'];
  const credentialFiles = file === undefined ? [] : [resolve(processInfo.cwd, file)];
  const deps = { stop$, log, processInfo: { ...processInfo, credentialFiles } };
  const address = toListenAddress(given.listen);
  if (address === 'stdio') {
    remarkInput('exec-server', 'what a client sends');
    return serveStdio({ stdin, stdout, ...deps }, limits);
  }
  if ('nats' in address) {
    const nats = natsOf(given, address.nats);
    const forNats = { stdout, ...deps, options: plainOptions };
    return given['make-stream'] ? makeNatsStream(forNats, nats) : serveNats(forNats, { ...limits, ...nats });
  }
  return 'path' in address
    ? serveUnix({ stdout, ...deps }, { ...limits, ...address })
    : serveSockets({ stdout, ...deps }, { ...limits, ...address, token, allowOtherUsers: given['allow-other-users'] });
};

const natsOf = (given: ExecServer, address: string) => ({
  address,
  name: given.name ?? '',
  pool: given.pool,
  stream: {
    maxBytes: given['stream-mb'] * MB,
    maxAgeMs: given['stream-age-s'] * 1000,
    replicas: given['stream-replicas'],
  },
});

/** Errors that name what the operator has to change. Names, as their classes would be loaded at each start. */
const OF_THE_OPERATOR = new Set(['NatsError', 'SetupError']);

/** The reason alone if the operator can fix it, or the system refused something, such as a port; otherwise the stack. */
export const failureFields = (error: Error): { reason: string } | { stack: string | undefined } =>
  OF_THE_OPERATOR.has(error.name) || 'syscall' in error ? { reason: error.message } : { stack: error.stack };

/** What is loaded for executors behind NATS only. */
const served = lazy(() => require('../../fleet/served/serveNats') as typeof import('../../fleet/served/serveNats'));

/** The server as an executor. */
const serveNats = (...args: Parameters<typeof import('../../fleet/served/serveNats').serveNats>) =>
  served().serveNats(...args);

/** What makes the stream of an executor. */
const makeNatsStream = (...args: Parameters<typeof import('../../fleet/served/serveNats').makeNatsStream>) =>
  served().makeNatsStream(...args);
