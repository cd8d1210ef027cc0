/** A backend whose processes run on the executors of a pool, each on the one that is least loaded. */
import { catchError, map, type Observable, of, ReplaySubject, share, switchMap, take, tap, timer } from 'rxjs';
import type { Backend, Started } from '../../executor';
import type { ProcessEvent } from '../../protocol/exec';
import { reasonOf } from '../../text';
import type { NatsLink } from '../../transport/nats';
import { findPool } from './findMember';
import { leastLoaded, type MemberStatus } from './leastLoaded';

/** @param backendOf the executor of this name; one that is asked for again is the same */
export type PoolBackendDeps = {
  link$: Observable<NatsLink>;
  pool: string;
  backendOf: (executor: string) => Backend;
};

/** How long what members report of their load is used for; what was started since is added to it. */
const STATUS_MS = 1_000;

/** What members reported, and how many processes were started on each since. */
type Loads = { members: readonly MemberStatus[]; started: Map<string, number> };

/**
 * An executor that does not answer gets no process; the processes of one that ends fail. A start waits for the answers of the members, then fails where there is none with
 * room.
 */
export const poolBackend = ({ link$, pool, backendOf }: PoolBackendDeps): Backend => {
  const loads$ = link$.pipe(
    switchMap((link) => findPool(link, pool)),
    take(1),
    map((members): Loads => ({ members, started: new Map() })),
    share({
      connector: () => new ReplaySubject<Loads>(1),
      resetOnComplete: () => timer(STATUS_MS),
      resetOnRefCountZero: false,
    }),
  );
  return {
    start: (spec) =>
      loads$.pipe(
        map((loads) => chosen(loads, pool)),
        tap(({ executor, loads: { started } }) => started.set(executor, (started.get(executor) ?? 0) + 1)),
        switchMap(({ executor }) => backendOf(executor).start(spec)),
        catchError((error) => of<Started | ProcessEvent>({ kind: 'failed', seq: 1, reason: reasonOf(error) })),
      ),
  };
};

const chosen = (loads: Loads, pool: string): { executor: string; loads: Loads } => {
  const member = leastLoaded(
    loads.members.map((one) => ({ ...one, running: one.running + (loads.started.get(one.executor) ?? 0) })),
  );
  if (member === undefined) throw new Error(`all executors of the pool ${pool} run as many processes as they may`);
  return { executor: member.executor, loads };
};

/** Emits the name of the member of a pool that is least loaded now. Errors where none answers, or none has room. */
export const leastLoadedOf = (link$: Observable<NatsLink>, pool: string): Observable<string> =>
  link$.pipe(
    switchMap((link) => findPool(link, pool)),
    take(1),
    map((members) => chosen({ members, started: new Map() }, pool).executor),
  );
