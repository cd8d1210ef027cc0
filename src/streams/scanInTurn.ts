/** Owns a scan that may wait: for each item in turn, however many wait meanwhile. */
import { isObservable, Observable, type OperatorFunction } from 'rxjs';
import { fifo } from './fifo';

/** The state after an item: as it is, or later. Each state that comes later is emitted, and the last is the next item's. */
export type Step<T, S, Z = S> = (state: S | Z, item: T) => S | Observable<S>;

/**
 * As `mergeScan` with one at a time, but a step that need not wait gives its state as it is, and what waited is taken in a
 * loop: RxJS begins the next from inside the end of the one before, so a thousand that waited overflow the stack.
 *   in   abc---d
 *   out  ---(ABC)D     (a takes 3 frames, the others need not wait)
 */
export const scanInTurn =
  <T, S, Z = S>(step: Step<T, S, Z>, seed: Z): OperatorFunction<T, S> =>
  (item$) =>
    new Observable((subscriber) => {
      const waiting = fifo<T>();
      let state: S | Z = seed;
      let [isBusy, isLooping, isOver] = [false, false, false];
      const settle = (next: S) => {
        state = next;
        subscriber.next(next);
      };
      const error = (reason: unknown) => subscriber.error(reason);
      const free = () => {
        isBusy = false;
        loop();
      };
      const take = (item: T) => {
        const next = step(state, item);
        if (!isObservable(next)) return settle(next);
        isBusy = true;
        subscriber.add(next.subscribe({ next: settle, error, complete: free }));
      };
      const loop = () => {
        if (isLooping) return;
        isLooping = true;
        try {
          while (!isBusy && !waiting.isEmpty() && !subscriber.closed) take(waiting.shift());
        } catch (reason) {
          error(reason);
        }
        isLooping = false;
        if (isOver && !isBusy) subscriber.complete();
      };
      const next = (item: T) => {
        waiting.push(item);
        loop();
      };
      const complete = () => {
        isOver = true;
        loop();
      };
      subscriber.add(item$.subscribe({ next, error, complete }));
    });

/** As `concatMap`, however many wait; what need not be waited for is given as it is. */
export const mapInTurn = <T, R>(project: (item: T) => R | Observable<R>): OperatorFunction<T, R> =>
  scanInTurn<T, R, undefined>((_, item) => project(item), undefined);
