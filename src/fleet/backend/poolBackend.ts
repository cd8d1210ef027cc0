/** A backend whose processes run on the executors of a pool, each on the one that is least loaded. */
import {
  catchError,
  defer,
  EMPTY,
  filter,
  map,
  merge,
  type Observable,
  of,
  Subject,
  share,
  switchMap,
  take,
} from 'rxjs';
import type { Backend, Started } from '../../executor/backend';
import type { ProcessEvent } from '../../protocol/exec/process';
import { reasonOf } from '../../streams/text/reasonOf';
import { findPool } from '../executor/findMember';
import type { NatsLink } from '../link/natsLink';
import { type AssignDeps, type Assignment, assignMembers } from './assignMembers';

/** @param backendOf the backend of the executor with this name, always the same one for a name */
export type PoolBackendDeps = {
  link$: Observable<NatsLink>;
  pool: string;
  backendOf: (executor: string) => Backend;
};

/**
 * A start waits for the answers of the members, then fails where none has room. A member that does not answer gets no process. When a
 * member ends, its processes fail.
 */
export const poolBackend = ({ link$, pool, backendOf }: PoolBackendDeps): Backend => {
  const start$ = new Subject<symbol>(); // the wire from starts to the choice of their members
  const assigned$ = start$.pipe(assignMembers(membersOf(link$, pool)), share({ resetOnRefCountZero: false }));
  const assigned = (start: symbol) =>
    merge(
      assigned$.pipe(filter((assignment) => assignment.start === start)),
      defer(() => {
        start$.next(start);
        return EMPTY;
      }), // after the line above, which receives the answer
    ).pipe(take(1));
  return {
    start: (spec) =>
      defer(() => assigned(Symbol('start'))).pipe(
        map(executorOf),
        switchMap((executor) => backendOf(executor).start(spec)),
        catchError((error) => of<Started | ProcessEvent>({ kind: 'failed', seq: 1, reason: reasonOf(error) })),
      ),
  };
};

const membersOf = (link$: Observable<NatsLink>, pool: string): AssignDeps => ({
  members: link$.pipe(switchMap((link) => findPool(link, pool))),
  full: () =>
    new Error(
      `all executors of the pool ${pool} run as many processes as they may: wait for one to end, or add an executor`,
    ),
});

/** Emits the name of the member of a pool that is least loaded now. Errors where none answers, or none has room. */
export const leastLoadedOf = (link$: Observable<NatsLink>, pool: string): Observable<string> =>
  of(pool).pipe(assignMembers(membersOf(link$, pool)), map(executorOf));

const executorOf = (assignment: Assignment<unknown>): string => {
  if ('error' in assignment) throw assignment.error;
  return assignment.executor;
};
