/** Drops events whose sequence number was seen before. */
import { type MonoTypeOperatorFunction, map, scan } from 'rxjs';
import { flatten } from '../streams';

/**
 * Passes what has a greater `seq` than all before it.
 *   in  1-2-2-1-3-|
 *   out 1-2-----3-|
 */
export const dropSeen =
  <T extends { seq: number }>(): MonoTypeOperatorFunction<T> =>
  (item$) =>
    item$.pipe(
      scan((at, item) => (item.seq > at.seq ? { seq: item.seq, fresh: [item] } : { seq: at.seq, fresh: [] }), {
        seq: 0,
        fresh: [] as T[],
      }),
      map(({ fresh }) => fresh),
      flatten(),
    );
