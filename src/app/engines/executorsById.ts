/** Wires the executors that are configured: this machine, and exec-servers. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { EMPTY, type Observable, of } from 'rxjs';
import { type Environment, readEnvironment } from '../../config';
import { type Backend, type Executor, overStdio, overWebSocket, remoteBackend } from '../../executor';
import { lazy } from '../../lazy';
import { dialSocket, fromPeer } from '../../transport';
import { memoize } from './memoize';
import type { Reached } from './reached';
import { configDeps, seamsOf, type Wiring } from './wiring';

/** As codex 0.142.0 does. */
const RECONNECT_MS = 25_000;
const CLIENT = 'codex-rx';

/**
 * Backends by the name of their environment, each connected once, when it is first needed; none where nothing may be reached. A pool has a member for each
 * process. Throws ConfigError.
 */
export const executorsById = (wiring: Wiring, local: Backend) => {
  const { backend, effects } = seamsOf(wiring);
  const { find, single, inFleet } = placesOf(wiring);
  return memoize((id: string): Backend => {
    const environment = find(id);
    if (environment.kind === 'local' || effects === 'none') return local;
    return backend(environment.kind === 'fleet' ? inFleet().backendOf(environment) : single(environment));
  });
};

/**
 * Reaches the executor of an environment that is not this machine, of a pool the member of this name, else the least loaded one. Emits once; errors where
 * none answers. Throws ConfigError.
 */
export const reachExecutor = (wiring: Wiring) => {
  const { effects } = seamsOf(wiring);
  const { find, single, inFleet } = placesOf(wiring);
  const singleOf = memoize((id: string) => single(find(id) as SingleEnvironment));
  return (id: string, member: string | undefined): Observable<Reached> => {
    const environment = find(id);
    if (environment.kind === 'local') throw new Error('this machine is reached without an executor');
    if (environment.kind !== 'fleet') return of({ executor: singleOf(id) });
    if (effects === 'none') return of({ executor: UNREACHED, ...(member !== undefined && { member }) });
    return inFleet().reach(environment, member);
  };
};

/** What stands for an executor where a tape answers. */
const UNREACHED: Executor = { start: () => EMPTY, request: () => EMPTY };

type SingleEnvironment = Exclude<Environment, { kind: 'local' | 'fleet' }>;

const placesOf = (wiring: Wiring) => ({
  find: readEnvironment(configDeps(wiring)),
  single: (environment: SingleEnvironment) => remoteOf(wiring, environment),
  inFleet: lazy(() => fleetModule().executorsInFleet(wiring)),
});

/** Loaded by the first executor behind NATS. */
const fleetModule = lazy(() => require('./executorsInFleet') as typeof import('./executorsInFleet'));

const remoteOf = (
  { processInfo, log, backpressure, watch, over$ }: Wiring,
  environment: SingleEnvironment,
): Executor => {
  const { env, cwd } = processInfo;
  const remote = { clientName: CLIENT, log, over$, clockMs: () => performance.now() };
  switch (environment.kind) {
    case 'url': {
      const { url, token } = environment;
      const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
      const transport = overWebSocket({ dial: dialSocket({ url, headers, backpressure }), url });
      return remoteBackend({ ...remote, transport, reconnectForMs: RECONNECT_MS });
    }
    case 'command': {
      const { argv } = environment;
      const own = { ...present(env), ...environment.env };
      const peer = fromPeer(
        { spawn, backpressure, signals: constants.signals, watch },
        { argv, cwd: environment.cwd ?? cwd, env: own },
      );
      const transport = overStdio({ peer, log, program: argv[0] as string, env: own });
      return remoteBackend({ ...remote, transport });
    }
  }
};

const present = (env: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined));
