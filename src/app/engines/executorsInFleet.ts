/** Wires the executors behind NATS that are configured; loaded by the first environment that names one. */
import { randomUUID } from 'node:crypto';
import { type Observable, ReplaySubject, share, timer } from 'rxjs';
import type { FleetEnvironment } from '../../config';
import type { Backend } from '../../executor';
import { natsBackend, poolBackend } from '../../executor/nats';
import type { NatsLink } from '../../transport/nats';
import { natsHere } from '../nats';
import type { Wiring } from './wiring';

const CLIENT = 'codex-rx';
/** How long a connection without processes is kept. */
const IDLE_MS = 60_000;

/** Executors by their address and name; environments share connections and executors. */
export const executorsInFleet = (wiring: Wiring) => {
  const { log, backpressure, over$ } = wiring;
  const linkTo = once((address: string) => shared(natsHere(wiring)(address)));
  const executorAt = once((address: string) =>
    once((executor: string) =>
      natsBackend({
        link$: linkTo(address),
        executor,
        newId: randomUUID,
        clientName: CLIENT,
        log,
        backpressure,
        over$,
        clockMs: () => performance.now(),
      }),
    ),
  );
  return ({ url, ...target }: FleetEnvironment): Backend =>
    'executor' in target
      ? executorAt(url)(target.executor)
      : poolBackend({ link$: linkTo(url), pool: target.pool, backendOf: executorAt(url) });
};

/** Makes what belongs to a name at its first use, and gives that from then on. */
const once = <T>(make: (name: string) => T): ((name: string) => T) => {
  const made = new Map<string, T>();
  return (name) => {
    const found = made.get(name) ?? make(name);
    made.set(name, found);
    return found;
  };
};

const shared = (link$: Observable<NatsLink>): Observable<NatsLink> =>
  link$.pipe(share({ connector: () => new ReplaySubject<NatsLink>(1), resetOnRefCountZero: () => timer(IDLE_MS) }));
