/** One server process, which all turns share. */
import { merge, NEVER, type Observable, ReplaySubject, share, timer } from 'rxjs';
import type { Link } from './link';
import { type LinkDeps, openLink } from './openLink';

/** How long an unused process is kept: the choice of an engine may be followed by its first call. */
const KEEP_MS = 1_000;

/**
 * Emits a server that is ready, the same to all, started by the first subscriber; errors when it dies, and is then started anew.
 * @param over$ emits when no server will be needed any more
 */
export const sharedLink = ({ over$ = NEVER, ...deps }: LinkDeps & { over$?: Observable<unknown> }): Observable<Link> =>
  openLink(deps).pipe(
    share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: () => merge(timer(KEEP_MS), over$) }),
  );
