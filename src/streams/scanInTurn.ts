/** A scan whose steps may take time: one item after another, however many wait meanwhile. */
import Denque from 'denque';
import { defer, isObservable, Observable, type OperatorFunction, type Subscriber } from 'rxjs';

/** The state after an item: a value, or a stream of states. Each state is emitted, and the last is that of the next item. */
export type Reducer<T, S, Z = S> = (state: S | Z, item: T) => S | Observable<S>;

/**
 * As `mergeScan` with one at a time, but a step that takes no time gives its state as a value, and waiting items are taken in a
 * loop: RxJS begins the next from inside the end of the one before, so a thousand waiting items overflow the stack.
 *   in   abc---d
 *   out  ---(ABC)D     (a takes 3 frames, the others take no time)
 */
export const scanInTurn =
  <T, S, Z = S>(step: Reducer<T, S, Z>, seed: Z): OperatorFunction<T, S> =>
  (item$) =>
    defer(() => {
      let state: S | Z = seed;
      return item$.pipe(
        inTurn<T, S>(
          (item) => step(state, item),
          (next) => {
            state = next;
          },
        ),
      );
    });

/** As `concatMap`, however many wait; a value is emitted as it is, and not kept: it may be large, and the next item late. */
export const mapInTurn = <T, R>(project: (item: T) => R | Observable<R>): OperatorFunction<T, R> =>
  inTurn(project, () => {});

/** @param settled is called with each result before it is emitted */
const inTurn =
  <T, R>(project: (item: T) => R | Observable<R>, settled: (result: R) => void): OperatorFunction<T, R> =>
  (item$) =>
    new Observable((subscriber) => {
      const settle = (result: R) => {
        settled(result);
        subscriber.next(result);
      };
      const error = (reason: unknown) => subscriber.error(reason);
      const take = (item: T, done: () => void): boolean => {
        const next = project(item);
        if (isObservable(next)) {
          subscriber.add(next.subscribe({ next: settle, error, complete: done }));
          return false;
        }
        settle(next);
        return true;
      };
      const turns = takeTurns(subscriber, take);
      subscriber.add(item$.subscribe({ next: turns.add, error, complete: turns.end }));
    });

/** Runs `loop`, unless it is running further down the stack. What it throws becomes the error of the subscriber. */
const notNested = (subscriber: Subscriber<unknown>, loop: () => void) => {
  let isRunning = false;
  return () => {
    if (isRunning) return;
    isRunning = true;
    try {
      loop();
    } catch (reason) {
      subscriber.error(reason);
    }
    isRunning = false;
  };
};

/**
 * Calls `take` for one item at a time; it returns whether it is done with the item, or calls `done` later. After `end` the subscriber
 * completes with the last item.
 */
const takeTurns = <T>(subscriber: Subscriber<unknown>, take: (item: T, done: () => void) => boolean) => {
  const waiting = new Denque<T>(); // changes in place; stays fast when it is long
  let isBusy = false; // an item is taken and not done
  let isOver = false; // no more items come
  const done = () => {
    isBusy = false;
    loop();
  };
  const loop = notNested(subscriber, () => {
    while (!isBusy && !waiting.isEmpty() && !subscriber.closed) {
      isBusy = true; // before the call, in which `done` may be called
      if (take(waiting.shift() as T, done)) isBusy = false;
    }
    if (isOver && !isBusy) subscriber.complete();
  });
  return {
    add: (item: T): void => {
      waiting.push(item);
      loop();
    },
    end: (): void => {
      isOver = true;
      loop();
    },
  };
};
