/** The connection of a store. */
import {
  catchError,
  defer,
  dematerialize,
  EMPTY,
  exhaustMap,
  finalize,
  ignoreElements,
  materialize,
  type Observable,
  Subject,
  shareReplay,
  takeUntil,
} from 'rxjs';

/** @param place$ emits the place of threads once it is connected, and does not complete; after an error the next use connects again */
export type StoreConnectionDeps<P> = { place$: Observable<P>; background: (task$: Observable<never>) => void };

/**
 * `within` runs something there: emits, completes and errors as it does, or with the connection. `keepOpen` stays connected until `closed` is
 * subscribed, which completes at once; without it the connection lasts as long as somebody uses it.
 */
export type StoreConnection<P> = {
  within: <T>(use: (place: P) => Observable<T>) => Observable<T>;
  keepOpen: () => void;
  closed: () => Observable<never>;
};

/** One connection for all that use it at a time. */
export const storeConnection = <P>({ place$: connected$, background }: StoreConnectionDeps<P>): StoreConnection<P> => {
  const closed$ = new Subject<void>(); // the wire from the end of the store to its connection
  const place$ = connected$.pipe(shareReplay({ bufferSize: 1, refCount: true }));
  let isKept = false;
  const keepOpen = () => {
    if (isKept) return;
    isKept = true;
    const end = () => {
      isKept = false;
    };
    background(
      place$.pipe(
        ignoreElements(),
        takeUntil(closed$),
        catchError(() => EMPTY), // those who use it get the error
        finalize(end),
      ),
    );
  };
  const within = <T>(use: (place: P) => Observable<T>): Observable<T> =>
    place$.pipe(
      exhaustMap((place) => use(place).pipe(materialize())),
      dematerialize(),
    );
  const close = () => {
    closed$.next();
    return EMPTY;
  };
  return { within, keepOpen, closed: () => defer(close) };
};
