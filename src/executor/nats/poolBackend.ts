/** A backend whose processes run on the executors of a pool, each on the one that is least loaded. */
import { catchError, defer, EMPTY, filter, merge, type Observable, of, Subject, share, switchMap, take } from 'rxjs';
import type { Backend, Started } from '../../executor';
import type { ProcessEvent } from '../../protocol/exec';
import { reasonOf } from '../../text';
import type { NatsLink } from '../../transport/nats';
import { assignMembers } from './assignMembers';
import { findPool } from './findMember';

/** @param backendOf the executor of this name; one that is asked for again is the same */
export type PoolBackendDeps = {
  link$: Observable<NatsLink>;
  pool: string;
  backendOf: (executor: string) => Backend;
};

/**
 * An executor that does not answer gets no process; the processes of one that ends fail. A start waits for the answers of the members, then fails where there is none with
 * room.
 */
export const poolBackend = ({ link$, pool, backendOf }: PoolBackendDeps): Backend => {
  const wish$ = new Subject<symbol>(); // the wire from starts to the choice of their members
  const assigned$ = wish$.pipe(
    assignMembers({
      members: link$.pipe(switchMap((link) => findPool(link, pool))),
      full: () => new Error(full(pool)),
    }),
    share({ resetOnRefCountZero: false }),
  );
  const assigned = (wish: symbol) =>
    merge(
      assigned$.pipe(filter((assignment) => assignment.wish === wish)),
      defer(() => {
        wish$.next(wish);
        return EMPTY;
      }), // behind the line above, which receives the answer
    ).pipe(take(1));
  return {
    start: (spec) =>
      defer(() => assigned(Symbol('start'))).pipe(
        switchMap((one) => {
          if ('error' in one) throw one.error;
          return backendOf(one.executor).start(spec);
        }),
        catchError((error) => of<Started | ProcessEvent>({ kind: 'failed', seq: 1, reason: reasonOf(error) })),
      ),
  };
};

const full = (pool: string): string => `all executors of the pool ${pool} run as many processes as they may`;
