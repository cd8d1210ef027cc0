/** A long walk that leaves the event loop free in between. */
import { asyncScheduler, concatMap, defer, EMPTY, expand, finalize, type Observable, observeOn, of, take } from 'rxjs';
import { type Backpressure, noBackpressure } from './backpressure';

/**
 * Emits what a walk finds in batches: the first at once (and completes if it is not full), each later one in its own turn of the event loop. The walk
 * goes on when its next batch is due and the reader is not slow, and not after unsubscription. A walk that finds nothing emits one empty batch. Errors with
 * what the walk throws.
 *   batches of 2 of a walk to abcde   (ab)(cd)(e|)
 */
export const inTurns = <T>(items: Iterable<T>, size: number, reader: Backpressure = noBackpressure): Observable<T[]> =>
  defer(() => {
    const batches = batchesOf(items, size);
    const first = batches.next().value ?? [];
    if (first.length < size) return of(first);
    const next = (): Observable<T[]> => {
      const batch = batches.next();
      return batch.done === true ? EMPTY : of(batch.value);
    };
    const ready$ = defer(() => (reader.isFull() ? reader.drain$.pipe(take(1)) : of(undefined)));
    return of(first).pipe(
      expand(() => ready$.pipe(observeOn(asyncScheduler), concatMap(next))),
      finalize(() => void batches.return(undefined)),
    );
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
