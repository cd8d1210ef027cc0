/** A long walk that leaves the event loop free in between. */
import { asyncScheduler, concat, defer, type Observable, of, scheduled } from 'rxjs';

/**
 * Emits what a walk finds in batches: the first at once (and completes if it is not full), each later one in its own turn of the event loop. The walk
 * goes on when its next batch is due, and not after unsubscription. A walk that finds nothing emits one empty batch. Errors with what the walk throws.
 *   batches of 2 of a walk to abcde   (ab)(cd)(e|)
 */
export const inTurns = <T>(items: Iterable<T>, size: number): Observable<T[]> =>
  defer(() => {
    const batches = batchesOf(items, size);
    const first = batches.next().value ?? [];
    return first.length < size ? of(first) : concat(of(first), scheduled(batches, asyncScheduler));
  });

function* batchesOf<T>(items: Iterable<T>, size: number): Generator<T[], undefined> {
  let batch: T[] = [];
  let isFirst = true;
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    isFirst = false;
    batch = [];
  }
  if (isFirst || batch.length > 0) yield batch;
}
