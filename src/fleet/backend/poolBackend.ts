/** A backend whose processes run on the executors of a pool, each on the least loaded. */
import {
  asyncScheduler,
  catchError,
  defer,
  EMPTY,
  filter,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  Subject,
  share,
  switchMap,
  take,
} from 'rxjs';
import type { Backend, Started } from '../../executor/backend';
import type { ProcessEvent } from '../../protocol/exec/process';
import { scanInTurn } from '../../streams/scanInTurn';
import { reasonOf } from '../../streams/text/reasons';
import { findPool, leastLoaded, type MemberStatus } from '../executor/member';
import type { NatsLink } from '../link/natsLink';

type PoolBackendDeps = {
  link$: Observable<NatsLink>;
  pool: string;
  /** The backend of the executor with this name; the same one for each call. */
  backendOf: (executor: string) => Backend;
};

/** A start waits for the answers of the members, and fails if none has room. When a member ends, its processes fail. */
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

/** Emits the name of the least loaded member of a pool. Errors if none answers, or none has room. */
export const leastLoadedOf = (link$: Observable<NatsLink>, pool: string): Observable<string> =>
  of(pool).pipe(assignMembers(membersOf(link$, pool)), map(executorOf));

const executorOf = (assignment: Assignment<unknown>): string => {
  if ('error' in assignment) throw assignment.error;
  return assignment.executor;
};

type Assignment<W> = { start: W } & ({ executor: string } | { error: Error });

type AssignDeps = {
  /** Asks the pool. */
  members: Observable<readonly MemberStatus[]>;
  /** The error if no member has room. */
  full: () => Error;
};

/** How long a report of the members' load is used; processes that were assigned since are added to it. */
const STATUS_MS = 1_000;

type Report = ({ members: readonly MemberStatus[] } | { error: Error }) & { atMs: number };
type State<W> = { report?: Report; assigned?: Assignment<W> };

type Start<W> = { start: W; atMs: number };

/**
 * Assigns each start of a process to the least loaded member, which then counts as running one more. The pool is queried at the first
 * start, and when the last report is a second old. A failed query fails the starts that waited for it; the next start queries again.
 *   start    a----b
 *   members  --m
 *   out     --A--B
 */
export const assignMembers =
  <W>({ members, full }: AssignDeps): OperatorFunction<W, Assignment<W>> =>
  (start$) => {
    const reported$ = members.pipe(
      take(1),
      map((reported): Report => ({ members: reported, atMs: asyncScheduler.now() })),
      catchError((error: Error) => of<Report>({ error, atMs: asyncScheduler.now() })),
    );
    const step = ({ report }: State<W>, start: Start<W>): State<W> | Observable<State<W>> =>
      report !== undefined && isFor(start, report)
        ? assign(report, start, full)
        : reported$.pipe(map((fresh) => assign(fresh, start, full)));
    return start$.pipe(
      map((start): Start<W> => ({ start, atMs: asyncScheduler.now() })),
      scanInTurn<Start<W>, State<W>>(step, {}),
      map(({ assigned }) => assigned as Assignment<W>),
    );
  };

const isFor = ({ atMs }: Start<unknown>, report: Report): boolean =>
  'error' in report ? atMs < report.atMs : asyncScheduler.now() - report.atMs < STATUS_MS;

const assign = <W>(report: Report, { start }: Start<W>, full: () => Error): State<W> => {
  if ('error' in report) return { report, assigned: { start, error: report.error } };
  const best = leastLoaded(report.members);
  if (best === undefined) return { report, assigned: { start, error: full() } };
  const members = report.members.map((one) => (one === best ? { ...one, running: one.running + 1 } : one));
  return { report: { ...report, members }, assigned: { start, executor: best.executor } };
};
