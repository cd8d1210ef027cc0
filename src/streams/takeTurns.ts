/** Owns doing one thing after another, when some that wait may be taken back. */
import { concatMap, connect, defer, EMPTY, filter, merge, type Observable, type OperatorFunction, of, tap } from 'rxjs';
import { mapInTurn } from './scanInTurn';

/**
 * @param keyOf never the same for two items
 * @param cancelled$ keys as they are taken back
 * @param run one item; `stop$` emits when it is taken back while it runs
 * @param dropped what is said of an item that is taken back before it ran
 */
export type TurnTaking<T, R> = {
  keyOf: (item: T) => string;
  cancelled$: Observable<string>;
  run: (item: T, stop$: Observable<string>) => Observable<R>;
  dropped: (item: T) => R;
};

/**
 * Runs one item after another, in the order they came; one that is taken back while it waits never runs.
 * Completes when both sources have and the last item ran; errors with `run`.
 *   item       1-2-3------|
 *   cancelled  ----3-1----|
 *   out        a---da-b---|   (d: 3 was dropped; 2 began when 1 had stopped)
 */
export const takeTurns =
  <T, R>({ keyOf, cancelled$, run, dropped }: TurnTaking<T, R>): OperatorFunction<T, R> =>
  (item$) =>
    defer(() => {
      const waiting = new Map<string, T>();
      const drop = (key: string): Observable<R> => {
        const item = waiting.get(key);
        waiting.delete(key);
        return item === undefined ? EMPTY : of(dropped(item));
      };
      const start = (item: T): Observable<R> => {
        const mine = keyOf(item);
        return waiting.delete(mine) ? run(item, cancelled$.pipe(filter((key) => key === mine))) : EMPTY;
      };
      return item$.pipe(
        tap((item) => waiting.set(keyOf(item), item)),
        connect((next$) => merge(cancelled$.pipe(concatMap(drop)), next$.pipe(mapInTurn(start)))),
      );
    });
