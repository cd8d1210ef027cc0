/** Which executor of a pool each process gets. */
import { asyncScheduler, catchError, map, type Observable, type OperatorFunction, of, take } from 'rxjs';
import { scanInTurn } from '../../streams/scanInTurn';
import { leastLoaded, type MemberStatus } from '../executor/leastLoaded';

/** The executor for a start, or why there is none. */
export type Assignment<W> = { start: W } & ({ executor: string } | { error: Error });

/** @param members asks the pool; @param full the error where no member has room */
export type AssignDeps = { members: Observable<readonly MemberStatus[]>; full: () => Error };

/** How long a report of the members' load is used; processes that were assigned since are added to it. */
const STATUS_MS = 1_000;

/** What was reported, with the processes that were started since; and when. */
type Report = ({ members: readonly MemberStatus[] } | { error: Error }) & { atMs: number };
type State<W> = { report?: Report; assigned?: Assignment<W> };

/** A start of a process, and when it came. */
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
