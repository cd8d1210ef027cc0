/** The port through which a slow sink slows its sources. */
import { BehaviorSubject, EMPTY, filter, merge, type Observable, skip, switchMap } from 'rxjs';

/** The queue towards a slow reader. A source checks it after each chunk that it has passed on. */
export type Backpressure = {
  /** True above the high-water mark: sources should wait. */
  isFull: () => boolean;
  /** Emits when the queue has emptied after that. */
  drain$: Observable<unknown>;
};

/** A reader that is never slow. */
export const noBackpressure: Backpressure = { isFull: () => false, drain$: EMPTY };

/**
 * The backpressure of two queues, one behind the other: full while either is full; drains when one drains and the other is not full.
 *   first   -d--d-     (second is full until its drain)
 *   second  --d---
 *   out     --d-d-
 */
export const joinBackpressure = (first: Backpressure, second: Backpressure): Backpressure => ({
  isFull: () => first.isFull() || second.isFull(),
  drain$: merge(first.drain$.pipe(filter(() => !second.isFull())), second.drain$.pipe(filter(() => !first.isFull()))),
});

/**
 * The backpressure of the queue that it was last switched to; at first it is never full. A switch counts as a drain, so that no source waits for a queue
 * that was closed. Sources read `isFull` at any time, so the current queue is kept in a BehaviorSubject.
 */
export const switchableBackpressure = (): Backpressure & { switchTo: (backpressure: Backpressure) => void } => {
  const now$ = new BehaviorSubject(noBackpressure); // the wire from `switchTo` to the sources
  return {
    isFull: () => now$.value.isFull(),
    drain$: merge(now$.pipe(skip(1)), now$.pipe(switchMap(({ drain$ }) => drain$))),
    switchTo: (backpressure) => now$.next(backpressure),
  };
};
