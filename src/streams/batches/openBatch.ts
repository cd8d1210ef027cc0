/** The batch that collects incoming items. */
import { defer, type Observable, type OperatorFunction } from 'rxjs';
import { mapMulti } from '../mapMulti';

/** A batch takes no more items once their sizes reach `limit`. */
export type BatchLimit<T> = { sizeOf: (item: T) => number; limit: number };

/**
 * Gathers items into batches; `work` takes one batch after another and closes each when it starts on it: until then it grows.
 *   in       ab--c-    (work closes a's batch after b, and c's at once)
 *   batches  A---C-    (A becomes [a, b])
 */
export const inOpenBatches =
  <T, R>(limit: BatchLimit<T>, work: (close: OpenBatch<T>['close']) => OperatorFunction<readonly T[], R>) =>
  (item$: Observable<T>): Observable<R> =>
    defer(() => {
      const { add, close } = openBatch(limit);
      return item$.pipe(
        mapMulti<T, readonly T[]>((item, emit) => {
          const batch = add(item);
          if (batch !== undefined) emit(batch);
        }),
        work(close),
      );
    });

/**
 * `add` puts an item into the open batch, and returns the batch if the item opens one. `close` closes a batch: the next item
 * opens another.
 */
export type OpenBatch<T> = { add: (item: T) => readonly T[] | undefined; close: (batch: readonly T[]) => void };

/** Belongs to one subscription, whose two operators call it: one adds items, the other closes the batch that it starts on. */
export const openBatch = <T>({ sizeOf, limit }: BatchLimit<T>): OpenBatch<T> => {
  let open: T[] | undefined;
  let room = 0;
  const add = (item: T): readonly T[] | undefined => {
    const full = open === undefined || room <= 0;
    if (full) room = limit;
    room -= sizeOf(item);
    if (!full) return void open?.push(item);
    open = [item];
    return open;
  };
  const close = (batch: readonly T[]): void => {
    if (batch === open) open = undefined;
  };
  return { add, close };
};
