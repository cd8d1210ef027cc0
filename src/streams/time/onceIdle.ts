/** Detects when a source pauses. */
import {
  connect,
  filter,
  last,
  type MonoTypeOperatorFunction,
  map,
  type Observable,
  scan,
  switchMap,
  take,
  takeUntil,
  timer,
  withLatestFrom,
} from 'rxjs';

/** How often the source is checked within the time of silence. */
const LOOKS = 4;

/**
 * Emits the latest item once the source has been silent for `ms` after it, or up to a quarter longer, then completes. Completes without an
 * item if the source ends before that; passes its error on.
 *   in   a-b--------c--|    ms 4
 *   out  ------(b|)
 * One timer checks whether there was an item since its last check, so an item costs next to nothing. It reads no clock, because the time of
 * day may be set back.
 */
export const onceIdle = <T>(ms: number): MonoTypeOperatorFunction<T> =>
  connect((item$) =>
    item$.pipe(
      take(1),
      switchMap(() => timer(0, ms / LOOKS)),
      withLatestFrom(numbered(item$)),
      map(([, latest]) => ({ ...latest, silentLooks: 0 })),
      scan((before, now) => (now.at === before.at ? { ...now, silentLooks: before.silentLooks + 1 } : now)),
      filter(({ silentLooks }) => silentLooks === LOOKS),
      take(1),
      map(({ item }) => item),
      takeUntil(item$.pipe(last(null, null))),
    ),
  );

const numbered = <T>(item$: Observable<T>): Observable<{ item: T; at: number }> =>
  item$.pipe(map((item, at) => ({ item, at })));
