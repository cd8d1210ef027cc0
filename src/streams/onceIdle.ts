/** Notices when a source pauses. */
import { connect, debounceTime, last, type MonoTypeOperatorFunction, take, takeUntil } from 'rxjs';

/**
 * Emits the latest item once the source has been silent for `ms` behind it, then completes. Completes without an item when the source
 * ends before; passes its error on.
 *   in   a-b--------c--|    ms 4
 *   out  ------(b|)
 */
export const onceIdle = <T>(ms: number): MonoTypeOperatorFunction<T> =>
  connect((item$) => item$.pipe(debounceTime(ms), take(1), takeUntil(item$.pipe(last(null, null)))));
