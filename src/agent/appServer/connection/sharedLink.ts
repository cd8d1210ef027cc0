/** One server process, which all turns share. */
import { merge, NEVER, type Observable, ReplaySubject, share, timer } from 'rxjs';
import type { Link } from './link';
import { type LinkDeps, openLink } from './openLink';

/** How long an unused process is kept, in ms: the first call may follow soon after the engine was chosen. */
const KEEP_MS = 1_000;

/**
 * Emits a server that is ready, the same one to all subscribers, started by the first of them; errors when it dies, and is then started anew.
 * @param over$ emits when no server will be needed any more
 */
export const sharedLink = ({ over$ = NEVER, ...deps }: LinkDeps & { over$?: Observable<unknown> }): Observable<Link> =>
  openLink(deps).pipe(
    share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: () => merge(timer(KEEP_MS), over$) }),
  );
