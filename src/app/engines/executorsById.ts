/** Wires the executors that are configured: this machine, and exec-servers. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { type Environment, type FleetEnvironment, readEnvironment } from '../../config';
import { type Backend, overStdio, overWebSocket, remoteBackend } from '../../executor';
import { lazy } from '../../lazy';
import { dialSocket, fromPeer } from '../../transport';
import { configDeps, seamsOf, type Wiring } from './wiring';

/** As codex 0.142.0 does. */
const RECONNECT_MS = 25_000;
const CLIENT = 'codex-rx';

/** Executors by the name of their environment, each connected once, when it is first needed; none where nothing may be reached. Throws ConfigError. */
export const executorsById = (wiring: Wiring, local: Backend) => {
  const known = new Map<string, Backend>();
  const find = readEnvironment(configDeps(wiring));
  const inFleet = lazy(() => fleetModule().executorsInFleet(wiring));
  return (id: string): Backend => {
    const backend = known.get(id) ?? portedOf(wiring, { local, inFleet: (one) => inFleet()(one) }, find(id));
    known.set(id, backend);
    return backend;
  };
};

/** Loaded by the first executor behind NATS. */
const fleetModule = lazy(() => require('./executorsInFleet') as typeof import('./executorsInFleet'));

type Places = { local: Backend; inFleet: (environment: FleetEnvironment) => Backend };

const portedOf = (wiring: Wiring, { local, inFleet }: Places, environment: Environment): Backend => {
  const { backend, effects } = seamsOf(wiring);
  if (environment.kind === 'local' || effects === 'none') return local;
  return backend(environment.kind === 'fleet' ? inFleet(environment) : remoteOf(wiring, environment));
};

const remoteOf = (
  { processInfo, log, backpressure, watch, over$ }: Wiring,
  environment: Exclude<Environment, { kind: 'local' | 'fleet' }>,
): Backend => {
  const { env, cwd } = processInfo;
  const remote = { clientName: CLIENT, log, over$, clockMs: () => performance.now() };
  switch (environment.kind) {
    case 'url': {
      const token = env.CODEX_RX_EXEC_TOKEN;
      const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
      const transport = overWebSocket({ dial: dialSocket({ url: environment.url, headers, backpressure }) });
      return remoteBackend({ ...remote, transport, reconnectForMs: RECONNECT_MS });
    }
    case 'command': {
      const { argv } = environment;
      const peer = fromPeer(
        { spawn, backpressure, signals: constants.signals, watch },
        { argv, cwd: environment.cwd ?? cwd, env: { ...present(env), ...environment.env } },
      );
      const transport = overStdio({ peer, log, program: argv[0] as string });
      return remoteBackend({ ...remote, transport });
    }
  }
};

const present = (env: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined));
