/** A queue of tasks, one at a time, from which waiting tasks can be withdrawn. */
import { concatMap, connect, defer, EMPTY, filter, merge, type Observable, type OperatorFunction, of, tap } from 'rxjs';
import { mapInTurn } from './scanInTurn';

/**
 * @param keyOf never the same for two items
 * @param cancelled$ hot; keys of items as they are cancelled
 * @param run one item; `stop$` emits when it is cancelled while it runs
 * @param withdrawn what is emitted for an item that was cancelled while it waited
 */
export type QueueDeps<T, R> = {
  keyOf: (item: T) => string;
  cancelled$: Observable<string>;
  run: (item: T, stop$: Observable<string>) => Observable<R>;
  withdrawn: (item: T) => R;
};

/**
 * Runs one item after another, in the order they came. An item that is cancelled while it waits never runs.
 * Completes when both sources have and the last item ran; errors with `run`.
 *   item       1-2-3------|
 *   cancelled  ----3-1----|
 *   out        a---da-b---|   (d: 3 was withdrawn; 2 began when 1 had stopped)
 */
export const runInQueue =
  <T, R>({ keyOf, cancelled$, run, withdrawn }: QueueDeps<T, R>): OperatorFunction<T, R> =>
  (item$) =>
    defer(() => {
      const waiting = new Map<string, T>();
      const withdraw = (key: string): Observable<R> => {
        const item = waiting.get(key);
        waiting.delete(key);
        return item === undefined ? EMPTY : of(withdrawn(item));
      };
      const start = (item: T): Observable<R> => {
        const own = keyOf(item);
        return waiting.delete(own) ? run(item, cancelled$.pipe(filter((key) => key === own))) : EMPTY;
      };
      return item$.pipe(
        tap((item) => waiting.set(keyOf(item), item)),
        connect((next$) => merge(cancelled$.pipe(concatMap(withdraw)), next$.pipe(mapInTurn(start)))),
      );
    });
