/** A backend whose processes run on an executor behind NATS. */
import type { Executor } from '../../executor/backend';
import { type RemoteDeps, remoteBackend } from '../../executor/remote/remoteBackend';
import { type NatsTransportDeps, natsTransport } from './natsTransport';
import { type SessionEventsDeps, sessionEvents } from './sessionEvents';

/** @param link$ emits the connection to NATS; subscribed for the session, and for its events */
export type NatsBackendDeps = NatsTransportDeps &
  SessionEventsDeps &
  Pick<RemoteDeps, 'clientName' | 'clockMs' | 'idleMs' | 'over$'>;

/** Shorter than one attempt, which looks for the executor for some seconds: so there is only one, and processes fail within 10 s of the executor's end. */
const RECONNECT_MS = 5_000;

/**
 * One executor by its name. Events of processes are read from its stream, so a lost connection, at either end, loses none: reading goes
 * on at the next connection. When the executor is gone, its processes fail after the events that the stream still has.
 */
export const natsBackend = ({ link$, executor, newId, backpressure, ...deps }: NatsBackendDeps): Executor =>
  remoteBackend({
    ...deps,
    transport: natsTransport({ link$, executor, newId }),
    stored: sessionEvents({ link$, executor, backpressure, log: deps.log }),
    reconnectForMs: RECONNECT_MS,
  });
