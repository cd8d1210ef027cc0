/** When all that was started is over. */
import { Observable, Subject, take } from 'rxjs';
import type { WatchGroup } from './watchGroup';

/** `watch` registers groups as before; `none$` completes when none of them lives, at once where that is so. */
export type CountedGroups = { watch: WatchGroup; none$: Observable<never> };

/**
 * Counts the groups that live.
 *   group  +-+-----|--|    (two groups begin and end)
 *   none$  --------   |
 */
export const countGroups = (watch: WatchGroup): CountedGroups => {
  const living = new Set<object>();
  const none$ = new Subject<void>(); // the wire from the last group to the subscribers
  const counted = (...group: Parameters<WatchGroup>) => {
    const own = {};
    const forget = watch(...group);
    living.add(own);
    return () => {
      forget();
      if (living.delete(own) && living.size === 0) none$.next();
    };
  };
  return {
    watch: Object.assign(counted, { marks: watch.marks }),
    none$: new Observable((subscriber) => {
      if (living.size === 0) return subscriber.complete();
      return none$.pipe(take(1)).subscribe(() => subscriber.complete());
    }),
  };
};
