/** Which executor of a pool each process gets. */
import { asyncScheduler, catchError, map, type Observable, type OperatorFunction, of, take } from 'rxjs';
import { scanInTurn } from '../../streams';
import { leastLoaded, type MemberStatus } from './leastLoaded';

/** The executor for a wish, or why there is none. */
export type Assignment<W> = { wish: W } & ({ executor: string } | { error: Error });

/** @param members asks the pool; @param full the error where no member has room */
export type AssignDeps = { members: Observable<readonly MemberStatus[]>; full: () => Error };

/** How long a report of the members' load is used; processes that were assigned since are added to it. */
const STATUS_MS = 1_000;

/** What was reported, with the processes that were started since; and when. */
type Report = ({ members: readonly MemberStatus[] } | { error: Error }) & { atMs: number };
type State<W> = { report?: Report; assigned?: Assignment<W> };

/** A wish, and when it came. */
type Wish<W> = { wish: W; atMs: number };

/**
 * Assigns wishes (processes that are to start) in turn, each to the least loaded member, which counts as having one process more from then on. The first wish queries the pool, and so does
 * one that comes when the last report is a second old. A failure counts for the wishes that waited for it; the next queries again.
 *   wish    a----b
 *   members  --m
 *   out     --A--B
 */
export const assignMembers =
  <W>({ members, full }: AssignDeps): OperatorFunction<W, Assignment<W>> =>
  (wish$) => {
    const reported$ = members.pipe(
      take(1),
      map((reported): Report => ({ members: reported, atMs: asyncScheduler.now() })),
      catchError((error: Error) => of<Report>({ error, atMs: asyncScheduler.now() })),
    );
    const step = ({ report }: State<W>, wish: Wish<W>): State<W> | Observable<State<W>> =>
      report !== undefined && isFor(wish, report)
        ? assign(report, wish, full)
        : reported$.pipe(map((fresh) => assign(fresh, wish, full)));
    return wish$.pipe(
      map((wish): Wish<W> => ({ wish, atMs: asyncScheduler.now() })),
      scanInTurn<Wish<W>, State<W>>(step, {}),
      map(({ assigned }) => assigned as Assignment<W>),
    );
  };

const isFor = ({ atMs }: Wish<unknown>, report: Report): boolean =>
  'error' in report ? atMs < report.atMs : asyncScheduler.now() - report.atMs < STATUS_MS;

const assign = <W>(report: Report, { wish }: Wish<W>, full: () => Error): State<W> => {
  if ('error' in report) return { report, assigned: { wish, error: report.error } };
  const best = leastLoaded(report.members);
  if (best === undefined) return { report, assigned: { wish, error: full() } };
  const members = report.members.map((one) => (one === best ? { ...one, running: one.running + 1 } : one));
  return { report: { ...report, members }, assigned: { wish, executor: best.executor } };
};
