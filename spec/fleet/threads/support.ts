/** Stores over one server, each as in a process of its own. */
import { type MonoTypeOperatorFunction, map, Subscription, switchMap } from 'rxjs';
import { connectNats } from '../../../src/fleet/link/connectNats';
import type { NatsLink } from '../../../src/fleet/link/natsLink';
import { natsThreads } from '../../../src/fleet/threads/natsThreads';
import { silentLog } from '../../../src/protocol/log';
import { NATS_DEFAULTS, type NatsSettings } from '../../../src/settings/readNats';
import type { ThreadStore } from '../../../src/threads/threadStore';

/** A store, and `kill`, which ends its process without a word to the server. */
export type OwnStore = { store: ThreadStore; kill: () => void; tasks: Subscription };

let last = 0;

/** Makes the bucket of leases first, which end so early that a spec can wait for it. */
const withLeases =
  (name: string, maxAgeMs: number): MonoTypeOperatorFunction<NatsLink> =>
  (link$) =>
    link$.pipe(
      switchMap((link) =>
        link
          .ensureBucket({ name: `codex-rx-leases-${name}`, maxBytes: 0, maxAgeMs, replicas: 1 })
          .pipe(map(() => link)),
      ),
    );

/** @param pid of the process; @param connect if the server is not reached as usual */
export const storeAt = (
  address: string,
  {
    name = 'spec',
    pid = 1,
    now = Date.now,
    leaseMs = 300,
    soon = () => {},
    settings = {},
  }: {
    name?: string;
    pid?: number;
    now?: () => number;
    leaseMs?: number;
    soon?: (run: () => void) => void;
    settings?: Partial<NatsSettings>;
  } = {},
): OwnStore => {
  const tasks = new Subscription();
  const store = natsThreads({
    connect: () =>
      connectNats({ address, settings: { ...NATS_DEFAULTS, ...settings }, log: silentLog }).pipe(
        withLeases(name, leaseMs),
      ),
    address: `${address}/${name}`,
    name,
    version: '1.2.3',
    self: { host: 'here', pid, store: `s${++last}` },
    now,
    newId: () => `i${++last}`,
    clockMs: () => performance.now(),
    soon,
    background: (task$) => void tasks.add(task$.subscribe()),
  });
  return { store, kill: () => tasks.unsubscribe(), tasks };
};
