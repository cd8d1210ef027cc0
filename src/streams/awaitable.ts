/** Values that may take time; a value that takes none needs no subscription. */
import { concatMap, forkJoin, isObservable, map, type Observable, of } from 'rxjs';

/** A value, or a stream that emits it once. */
export type Awaitable<T> = T | Observable<T>;

/** A stream of the value. Errors with the value's stream. */
export const toStream = <T>(value: Awaitable<T>): Observable<T> => (isObservable(value) ? value : of(value));

/** What `project` makes of the value: now if it is there, otherwise when it comes. Errors with either. */
export const mapReady = <T, R>(value: Awaitable<T>, project: (value: T) => Awaitable<R>): Awaitable<R> => {
  if (!isObservable(value)) return project(value);
  return value.pipe(concatMap((ready) => toStream(project(ready))));
};

/** The stream that `project` makes of the value. Errors with either. */
export const streamWhenReady = <T, R>(value: Awaitable<T>, project: (value: T) => Observable<R>): Observable<R> =>
  isObservable(value) ? value.pipe(concatMap(project)) : project(value);

/** All values under their names, once all are there; they are awaited in parallel. */
export const allReady = <T extends Record<string, unknown>>(
  values: {
    [K in keyof T]: Awaitable<T[K]>;
  },
): Awaitable<T> => {
  if (!Object.values(values).some(isObservable)) return values as T;
  return forkJoin(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toStream(value)]))).pipe(
    map((ready) => ready as T),
  );
};
