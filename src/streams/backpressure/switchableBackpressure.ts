/** The backpressure of a queue that can be exchanged for another while sources wait for it. */
import { BehaviorSubject, merge, skip, switchMap } from 'rxjs';
import { type Backpressure, noBackpressure } from './backpressure';

/**
 * The backpressure of the queue it was last switched to; none at first. A switch counts as a drain, so that no source waits for a queue
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
