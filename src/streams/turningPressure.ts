/** Owns the pressure of a queue that is exchanged for another. */
import { BehaviorSubject, merge, skip, switchMap } from 'rxjs';
import { noPressure, type Pressure } from './pressure';

/**
 * That of the queue it was last turned to; none at first. A turn counts as a drain, so nothing waits for a queue that is gone.
 * It is a port that is looked at, so it has to hold what it was turned to.
 */
export const turningPressure = (): Pressure & { turnTo: (pressure: Pressure) => void } => {
  const now$ = new BehaviorSubject(noPressure);
  return {
    isLong: () => now$.value.isLong(),
    drain$: merge(now$.pipe(skip(1)), now$.pipe(switchMap(({ drain$ }) => drain$))),
    turnTo: (pressure) => now$.next(pressure),
  };
};
