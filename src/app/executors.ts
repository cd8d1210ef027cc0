/** Wires the executors that are configured: one registry of them for all of a process. */
import { constants } from 'node:os';
import { of } from 'rxjs';
import { configDeps, type ExecutorsWiring } from '../agent/wiring/wiring';
import type { Executor, Executors } from '../executor/backend';
import { overStdio, overWebSocket } from '../executor/remote/execTransport';
import { remoteBackend } from '../executor/remote/remoteBackend';
import { fromPeer } from '../io/processes/fromChild';
import { presentVariables } from '../io/processes/markedEnvironment';
import { spawnHere } from '../io/processes/spawnHere';
import { dialSocket } from '../io/sockets/dialSocket';
import { type Environment, readEnvironment } from '../settings/places/readEnvironment';
import { lazy, memoize } from '../streams/lazy';

/** As codex 0.142.0 does. */
const RECONNECT_MS = 25_000;
const CLIENT = 'codex-rx';

/** The executors that are configured. Call it once in a process: each call makes connections of its own. */
export const executorsOf = (wiring: ExecutorsWiring): Executors => {
  const find = readEnvironment(configDeps(wiring));
  const inFleet = lazy(() => fleetModule().executorsInFleet(wiring));
  const singleOf = memoize((id: string) => toSingle(wiring, find(id) as SingleEnvironment));
  return {
    backendOf: memoize((id) => {
      const environment = findElsewhere(find, id);
      return environment.kind === 'fleet' ? inFleet().backendOf(environment) : singleOf(id);
    }),
    reach: (id, member) => {
      const environment = findElsewhere(find, id);
      if (environment.kind !== 'fleet') return of({ executor: singleOf(id) });
      return inFleet().reach(environment, member);
    },
  };
};

type ElsewhereEnvironment = Exclude<Environment, { kind: 'local' }>;
type SingleEnvironment = Exclude<ElsewhereEnvironment, { kind: 'fleet' }>;

const findElsewhere = (find: (id: string) => Environment, id: string): ElsewhereEnvironment => {
  const environment = find(id);
  if (environment.kind === 'local') throw new Error('this machine is reached without an executor');
  return environment;
};

/** Loaded by the first executor behind NATS. */
const fleetModule = lazy(
  () => require('../fleet/backend/executorsInFleet') as typeof import('../fleet/backend/executorsInFleet'),
);

const toSingle = (
  { processInfo, log, backpressure, watch, over$ }: ExecutorsWiring,
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
      const own = { ...presentVariables(env), ...environment.env };
      const peer = fromPeer(
        { spawn: spawnHere, backpressure, signals: constants.signals, watch },
        { argv, cwd: environment.cwd ?? cwd, env: own },
      );
      const transport = overStdio({ peer, log, program: argv[0] as string, env: own });
      return remoteBackend({ ...remote, transport });
    }
  }
};
