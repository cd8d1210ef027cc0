/** How long to wait between attempts, and until when: a signal, or silence. */
import {
  connect,
  defer,
  filter,
  last,
  type MonoTypeOperatorFunction,
  map,
  type Observable,
  of,
  scan,
  switchMap,
  take,
  takeUntil,
  tap,
  timer,
  withLatestFrom,
} from 'rxjs';
import { mapInTurn } from '../scanInTurn';

/** Some 25 days, in ms; a timer that is given more does not wait at all. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** A longer time means "for ever", and is capped at what a timer can wait. */
export const toTimerMs = (ms: number): number => Math.min(ms, MAX_TIMER_MS);

/** Emits once after so many ms, and completes; 0 is at once, before the subscription returns. */
export const after = (ms: number): Observable<0> => (ms === 0 ? of(0) : timer(ms));

/** The wait after this many failed attempts, in ms: 100 after the first, doubling with each further one, at most 2,000. */
export const doublingWait = (failed: number): number => Math.min(100 * 2 ** (failed - 1), 2_000);

/**
 * The wait after attempt `n` at a request, counted from 1, in ms: doubling from 200, ± 10 %, so that clients that failed together do not retry
 * together. Source: Codex 0.28.0, cases mh04 to mh16.
 * @param random 0 up to, but not including, 1
 */
export const backoffMs = (n: number, random: () => number): number => 200 * 2 ** (n - 1) * (0.9 + 0.2 * random());

/**
 * Emits the values of the source in order, from the first value of `signal$` on; later values do not subscribe to it again. Errors with
 * either, with `signal$` only while a value waits.
 *   in      a-b-----c-|
 *   signal  ----s
 *   out     ----(ab)c-|
 */
export const delayUntil =
  <T>(signal$: Observable<unknown>): MonoTypeOperatorFunction<T> =>
  (source$) =>
    defer(() => {
      let isOpen = false;
      const opened$ = signal$.pipe(
        take(1),
        tap(() => {
          isOpen = true;
        }),
      );
      return source$.pipe(mapInTurn((value: T) => (isOpen ? value : opened$.pipe(map(() => value)))));
    });

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

/** How often the source is checked within the time of silence. */
const LOOKS = 4;
