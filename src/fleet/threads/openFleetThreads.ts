/** Wires the thread store beyond this machine to its server. Loaded where the configuration names one. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ThreadsWiring } from '../../agent/wiring/wiring';
import { parseNatsAddress } from '../../io/nats/natsAddress';
import type { ThreadStore } from '../../threads/threadStore';
import { natsHere } from '../link/natsHere';
import { natsThreads } from './natsThreads';

/** The store of one connection. Throws ConfigError where the address cannot be used. */
export const openFleetThreads = (wiring: ThreadsWiring, address: string): ThreadStore => {
  const { processInfo, background = () => {} } = wiring;
  const { shown, name } = parseNatsAddress(address);
  return natsThreads({
    connect: () => natsHere(wiring)(address),
    address: shown,
    name,
    version: processInfo.version,
    background,
    self: { host: hostname(), pid: process.pid, store: randomUUID() },
    newId: randomUUID,
    now: Date.now,
    clockMs: () => performance.now(),
    soon: setImmediate,
  });
};
