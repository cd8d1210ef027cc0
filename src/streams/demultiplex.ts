/** Shares a stream among many subscribers that each wait for one key. */
import { defer, finalize, ignoreElements, merge, type Observable, Subject, share, tap } from 'rxjs';

/**
 * `(keyOf) => (source$) => (key) => stream` of the items with this key. All streams share one subscription to the source. An item goes only to the
 * subscribers of its key, so it costs the same however many others there are. A source that emits on subscription reaches only the first subscriber.
 * Completes and errors with the source.
 *   source   -a-b-a-|     (a, b by their keys)
 *   a        -a---a-|
 *   b        ---b---|
 */
export const demultiplex =
  <T, K>(keyOf: (item: T) => K) =>
  (source$: Observable<T>): ((key: K) => Observable<T>) => {
    const waiting = new Map<K, Subject<T>>(); // changed in place: the wire of each key from the source to its subscribers
    const running$ = source$.pipe(
      tap({
        next: (item) => waiting.get(keyOf(item))?.next(item),
        complete: () => {
          for (const wire$ of [...waiting.values()]) wire$.complete();
        },
      }),
      ignoreElements(),
      share(),
    );
    return (key) =>
      defer(() => {
        const wire$ = waiting.get(key) ?? new Subject<T>();
        waiting.set(key, wire$);
        return merge(wire$, running$).pipe(
          finalize(() => {
            if (!wire$.observed && waiting.get(key) === wire$) waiting.delete(key);
          }),
        );
      });
  };
