/** Owns having one server process for all who need it. */
import { merge, NEVER, type Observable, ReplaySubject, share, timer } from 'rxjs';
import type { Link } from './link';
import { type LinkDeps, openLink } from './openLink';

/** How long a process is kept that nobody needs: who only looked at it may be followed by who uses it. */
const KEEP_MS = 1_000;

/**
 * Emits a server that can be asked, the same to all, started by the first; errors when it dies, and is then started anew.
 * @param over$ emits when nobody will need one any more
 */
export const sharedLink = ({ over$ = NEVER, ...deps }: LinkDeps & { over$?: Observable<unknown> }): Observable<Link> =>
  openLink(deps).pipe(
    share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: () => merge(timer(KEEP_MS), over$) }),
  );
