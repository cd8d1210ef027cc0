/** Keeps the servers of the places where threads were opened. */
import { catchError, EMPTY, exhaustMap, groupBy, mergeMap, type Observable, type OperatorFunction } from 'rxjs';
import type { Link } from './link';

/** A place with its shared server. */
type Place = { link$: Observable<Link> };

/**
 * Subscribes to one server per place, from the first thread there on; a server that is gone is started anew by the next thread there. Never errors.
 *   used     a-b-a---a      (a, b places)
 *   a.link$  s-----#  s     (s ready, # gone)
 *   b.link$    s-------
 */
export const connectPlaces =
  <P extends Place>(): OperatorFunction<P, Link> =>
  (used$) =>
    used$.pipe(
      groupBy((place) => place),
      mergeMap((same$) => same$.pipe(exhaustMap(({ link$ }) => link$.pipe(catchError(() => EMPTY))))),
    );
