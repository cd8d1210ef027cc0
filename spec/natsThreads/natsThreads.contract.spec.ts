import { threadStoreContract } from '../contract/threadStore';
import { endNatsServers, type NatsServer, startNats } from '../support/natsServer';
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

/** So short that a crashed process gives its threads back within a spec, and so long that a busy machine renews it in time. */
const LEASE_MS = 3_000;

threadStoreContract('in NATS', () => {
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
      await new Promise((resolve) => setTimeout(resolve, LEASE_MS + 300));
    },
  };
});
