/** The checks of this machine: the engine, the server itself, the sandbox, NATS. */
import {
  catchError,
  concatMap,
  defer,
  last,
  map,
  type Observable,
  of,
  reduce,
  switchMap,
  take,
  throwError,
  timeout,
} from 'rxjs';
import type { enginesOf } from '../../app/engines/engines';
import type { Backend } from '../../executor/backend';
import { childTransport } from '../../executor/childTransport';
import type { SessionSandbox } from '../../executor/sandbox/openSandboxes';
import type { NatsLink } from '../../fleet/link/natsLink';
import { isNatsFailure } from '../../io/nats/natsAddress';
import { presentVariables } from '../../io/processes/markedEnvironment';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import { isObject } from '../../protocol/jsonrpc/json';
import type { Log } from '../../protocol/log';
import { handshake, openPeer } from '../../protocol/rpc/openPeer';
import { inputFirst } from '../../streams/time/limits';
import type { Result } from './finding';

type OwnServerDeps = { backend: Backend; argv: readonly string[]; processInfo: ProcessInfo; log: Log };

const LIMIT_MS = 10_000;
const CLIENT = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'codex-rx-doctor', title: 'codex-rx doctor', version: '1' },
};

/** Emits the tools of the server once it has answered, and ends it. Errors if it does not start or does not answer. */
export const examineOwnServer = ({ backend, argv, processInfo, log }: OwnServerDeps): Observable<Result> =>
  defer(() => {
    const startMs = Date.now();
    const { cwd, env } = processInfo;
    const transport = childTransport({
      backend,
      command: argv,
      cwd,
      env: presentVariables(env),
      log,
      title: 'The server',
      program: 'codex-rx',
    });
    return openPeer({ transport, name: 'the server' }).pipe(
      handshake({ params: CLIENT, ready: 'notifications/initialized' }),
      switchMap(({ peer }) => peer.request('tools/list', {})),
      take(1),
      timeout(LIMIT_MS, inputFirst),
      map((result) => ({ text: `answers, with the tools ${namesOf(result).join(', ')}`, ms: Date.now() - startMs })),
    );
  });

const namesOf = (result: unknown): string[] =>
  isObject(result) && Array.isArray(result.tools)
    ? result.tools.map((tool) => (isObject(tool) ? String(tool.name) : '?'))
    : [];

type ExamineSandboxDeps = Pick<SessionSandbox, 'ready$' | 'asSet'> & { cwd: string };

const NONE = 'none works, so commands are asked about';

/** Runs a command that does nothing, as a thread would run it. Emits once it has ended. Errors after 10 s. */
export const examineSandbox = ({ ready$, asSet, cwd }: ExamineSandboxDeps): Observable<Result> =>
  ready$.pipe(
    last(),
    concatMap((ready) => (ready.kind === 'ready' ? tried(asSet, cwd) : of(warning(NONE, ready.remedy)))),
    timeout(LIMIT_MS, inputFirst),
  );

const warning = (text: string, remedy: string): Result => ({ state: 'warning', text, remedy });

type Run = { exitCode?: number; printed: string };

const tried = (asSet: SessionSandbox['asSet'], cwd: string): Observable<Result> =>
  asSet.start({ argv: ['/bin/sh', '-c', ':'], cwd, env: {} }).pipe(
    reduce(
      (run: Run, event): Run => {
        if (event.kind === 'exited') return { ...run, exitCode: event.exitCode };
        if (event.kind === 'failed') return { ...run, printed: event.reason };
        return event.kind === 'output' ? { ...run, printed: run.printed + Buffer.from(event.chunk).toString() } : run;
      },
      { printed: '' },
    ),
    map(({ exitCode, printed }) =>
      exitCode === 0
        ? { text: 'works' }
        : warning('no command can run in it', printed.trim().split('\n')[0] || `it ended with exit code ${exitCode}`),
    ),
  );

/** Emits how long the server takes to answer. Errors if it cannot be reached, refuses the login, or has no JetStream. */
export const examineNats = (link$: Observable<NatsLink>): Observable<Result> => {
  const startMs = Date.now();
  return link$.pipe(
    switchMap((link) =>
      link.findStream(`${link.prefix}-tapes`).pipe(
        map((found) => `with JetStream, and ${found === undefined ? 'without tapes' : 'with tapes'}`),
        catchError((error) =>
          isNatsFailure(error, 'refused') ? of('and lets this login read no tapes') : throwError(() => error),
        ),
        map((text) => ({ text: `${link.address} answers, ${text}` })),
      ),
    ),
    take(1),
    timeout(LIMIT_MS, inputFirst),
    map((result) => ({ ...result, ms: Date.now() - startMs })),
  );
};

/** Makes a real handshake if an installed Codex may be used. */
export const examineEngine = ({ choice$ }: Pick<ReturnType<typeof enginesOf>, 'choice$'>): Observable<Result> =>
  defer(() => {
    const startMs = Date.now();
    return choice$.pipe(
      map(({ engine: name, reason, remedy }): Result => {
        const isUsable = name !== 'native' || !/No API key|Missing environment variable/.test(reason);
        return {
          text: `${name}: ${reason}`,
          ms: Date.now() - startMs,
          ...(remedy && { state: 'warning', remedy: `to use the installed Codex, ${remedy}` }),
          ...(!isUsable && { state: 'fault', remedy: [remedyOf(reason), ...(remedy ? [remedy] : [])].join('; or ') }),
        };
      }),
    );
  });

/** A login does not help a provider whose key comes from a variable. */
const remedyOf = (reason: string): string => {
  const [, variable] = reason.match(/Missing environment variable: `([^`]*)`/) ?? [];
  if (variable === undefined) return 'codex-rx login, or a model provider in config.toml';
  return `set ${variable} where the server is started, as in env of the entry of its client`;
};
