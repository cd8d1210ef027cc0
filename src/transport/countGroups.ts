/** Owns knowing when all that was started is over. */
import { Observable } from 'rxjs';
import type { WatchGroup } from './watchGroups';

/** `watch` watches as before; `none$` completes when nothing it was told of lives, at once where that is so. */
export type CountedGroups = { watch: WatchGroup; none$: Observable<never> };

/**
 * Counts the groups that live, for who has to wait until none does.
 *   group  +-+-----|--|    (two groups begin and end)
 *   none$  --------   |
 */
export const countGroups = (watch: WatchGroup): CountedGroups => {
  const living = new Set<() => void>();
  const waiting = new Set<() => void>();
  return {
    watch: (id, what) => {
      const forget = watch(id, what);
      const over = () => {
        forget();
        living.delete(over);
        if (living.size === 0) for (const tell of [...waiting]) tell();
      };
      living.add(over);
      return over;
    },
    none$: new Observable((subscriber) => {
      if (living.size === 0) return subscriber.complete();
      const tell = () => subscriber.complete();
      waiting.add(tell);
      return () => waiting.delete(tell);
    }),
  };
};
