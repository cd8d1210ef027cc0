/** The backpressure of a queue that is exchanged for another while sources look at it. */
import { BehaviorSubject, merge, skip, switchMap } from 'rxjs';
import { type Backpressure, noBackpressure } from './backpressure';

/**
 * That of the queue it was last switched to; none at first. A switch counts as a drain, so that no source waits for a queue
 * that is gone. Sources look at it at any time, so it has to hold the current queue.
 */
export const switchableBackpressure = (): Backpressure & { switchTo: (backpressure: Backpressure) => void } => {
  const now$ = new BehaviorSubject(noBackpressure);
  return {
    isFull: () => now$.value.isFull(),
    drain$: merge(now$.pipe(skip(1)), now$.pipe(switchMap(({ drain$ }) => drain$))),
    switchTo: (backpressure) => now$.next(backpressure),
  };
};
