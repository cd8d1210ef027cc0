import { type StoreWorld, threadStoreContract } from '../../contract/threadStore';
import { onLink } from '../../support/nats/fleetThreads';
import { endNatsServers, type NatsServer, startNats } from '../../support/nats/natsServer';
import { needs } from '../../support/needs/needs';
import { type OwnStore, storeAt } from './support';

let server: NatsServer;
let worlds = 0;
const opened: OwnStore[] = [];

beforeAll(async () => {
  server = await startNats();
});
afterAll(async () => {
  for (const { kill } of opened) kill();
  await endNatsServers();
});

/** Longer than a spec: what a crashed process had is removed here as the server removes it at its end. */
const LEASE_MS = 60_000;

const leasesOver = (name: string) =>
  onLink(server.address, (link) =>
    link.purge({ stream: `KV_codex-rx-leases-${name}`, subject: `$KV.codex-rx-leases-${name}.>` }),
  );

const newWorld = (): StoreWorld => {
  worlds += 1;
  const name = `w${worlds}`;
  let nowMs = Date.UTC(2026, 10, 22);
  let pids = 0;
  return {
    open: () => {
      pids += 1;
      const own = storeAt(server.address, { name, pid: pids, leaseMs: LEASE_MS, now: () => nowMs });
      opened.push(own);
      return own.store;
    },
    tick: () => {
      nowMs += 1_000;
    },
    crash: async (store) => {
      opened.find((own) => own.store === store)?.kill();
      await leasesOver(name);
    },
  };
};

needs('nats-server').describe('natsThreads', () => threadStoreContract('in NATS', newWorld));
