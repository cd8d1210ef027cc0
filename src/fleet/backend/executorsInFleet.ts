/** Wires the executors behind NATS that are configured; loaded by the first environment that names one. */
import { randomUUID } from 'node:crypto';
import { map, type Observable, of, ReplaySubject, share, timer } from 'rxjs';
import type { ExecutorsWiring } from '../../agent/wiring/wiring';
import type { Backend } from '../../executor/backend';
import type { Reached } from '../../executor/executorsPort';
import type { FleetEnvironment } from '../../settings/places/readEnvironment';
import { memoize } from '../../streams/lazy/memoize';
import { natsHere } from '../link/natsHere';
import type { NatsLink } from '../link/natsLink';
import { natsBackend } from './natsBackend';
import { leastLoadedOf, poolBackend } from './poolBackend';

const CLIENT = 'codex-rx';
/** How long a connection without processes is kept. */
const IDLE_MS = 60_000;

/** Executors by their address and name; environments share connections and executors. */
export const executorsInFleet = (wiring: ExecutorsWiring) => {
  const { log, backpressure, over$ } = wiring;
  const linkTo = memoize((address: string) => shared(natsHere(wiring)(address)));
  const executorAt = memoize((address: string) =>
    memoize((executor: string) =>
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
  return {
    backendOf: ({ url, ...target }: FleetEnvironment): Backend =>
      'executor' in target
        ? executorAt(url)(target.executor)
        : poolBackend({ link$: linkTo(url), pool: target.pool, backendOf: executorAt(url) }),
    reach: ({ url, ...target }: FleetEnvironment, member: string | undefined): Observable<Reached> => {
      if ('executor' in target) return of({ executor: executorAt(url)(target.executor) });
      const member$ = member === undefined ? leastLoadedOf(linkTo(url), target.pool) : of(member);
      return member$.pipe(map((name) => ({ executor: executorAt(url)(name), member: name })));
    },
  };
};

const shared = (link$: Observable<NatsLink>): Observable<NatsLink> =>
  link$.pipe(share({ connector: () => new ReplaySubject<NatsLink>(1), resetOnRefCountZero: () => timer(IDLE_MS) }));
