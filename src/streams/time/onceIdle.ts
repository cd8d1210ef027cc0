/** Notices when a source pauses. */
import { connect, last, type MonoTypeOperatorFunction, map, switchMap, take, takeUntil, timer } from 'rxjs';

/**
 * Emits the latest item once the source has been silent for `ms` after it, then completes. Completes without an item when the source
 * ends before; passes its error on.
 *   in   a-b--------c--|    ms 4
 *   out  ------(b|)
 * A timer for each item, as `debounceTime` waits on after the time of day was set back.
 */
export const onceIdle = <T>(ms: number): MonoTypeOperatorFunction<T> =>
  connect((item$) =>
    item$.pipe(
      switchMap((item) => timer(ms).pipe(map(() => item))),
      take(1),
      takeUntil(item$.pipe(last(null, null))),
    ),
  );
