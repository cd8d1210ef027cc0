/** Works on many items at once if they come faster than they can be processed one by one. */
import { defer, type Observable, type OperatorFunction } from 'rxjs';
import { mapMulti } from './gather';
import { mapInTurn, scanInTurn } from './scanInTurn';

/**
 * Runs `project` for one batch at a time, in order; items that come while one runs form the next.
 *   in          abc-----d--
 *   project(a)  ---x|
 *   project(bc)    ---y|
 *   out         ---x--y--z    (the third batch is d, at once)
 */
export const inBatches = <T, R>(
  limit: BatchLimit<T>,
  project: (batch: readonly T[]) => Observable<R>,
): OperatorFunction<T, R> =>
  inOpenBatches(limit, (close) =>
    mapInTurn((batch) => {
      close(batch);
      return project(batch);
    }),
  );

/** The states during a batch; the last one is passed to the next batch. */
type BatchReducer<T, S> = (state: S, batch: readonly T[]) => Observable<S>;

/**
 * Runs `step` for one batch at a time, in order; items that come while one runs form the next. Emits each state.
 *   in           abc-----d--
 *   step(s, a)   ---t|
 *   step(t, bc)     ---u|
 *   out          ---t--u--v    (the third batch is d, at once, with the state u)
 */
export const scanInBatches = <T, S>(limit: BatchLimit<T>, step: BatchReducer<T, S>, seed: S): OperatorFunction<T, S> =>
  inOpenBatches(limit, (close) =>
    scanInTurn<readonly T[], S>((state, batch) => {
      close(batch);
      return step(state, batch);
    }, seed),
  );

/** A batch takes no more items once the sum of their sizes reaches `limit`. */
export type BatchLimit<T> = { sizeOf: (item: T) => number; limit: number };

/**
 * Gathers items into batches; `work` takes one batch after another and closes each when it starts on it: until then it grows.
 *   in       ab--c-    (work closes a's batch after b, and c's at once)
 *   batches  A---C-    (A becomes [a, b])
 */
const inOpenBatches =
  <T, R>(limit: BatchLimit<T>, work: (close: OpenBatch<T>['close']) => OperatorFunction<readonly T[], R>) =>
  (item$: Observable<T>): Observable<R> =>
    defer(() => {
      const { add, close } = openBatch(limit);
      return item$.pipe(
        mapMulti<T, readonly T[]>((item, emit) => {
          const batch = add(item);
          if (batch !== undefined) emit(batch);
        }),
        work(close),
      );
    });

type OpenBatch<T> = {
  /** Puts an item into the open batch. Returns the batch if the item opens it, otherwise undefined. */
  add: (item: T) => readonly T[] | undefined;
  /** Closes a batch: the next item opens another. */
  close: (batch: readonly T[]) => void;
};

/** Belongs to one subscription, whose two operators call it: one adds items, the other closes the batch that it starts on. */
const openBatch = <T>({ sizeOf, limit }: BatchLimit<T>): OpenBatch<T> => {
  let open: T[] | undefined;
  let room = 0;
  const add = (item: T): readonly T[] | undefined => {
    const full = open === undefined || room <= 0;
    if (full) room = limit;
    room -= sizeOf(item);
    if (!full) return void open?.push(item);
    open = [item];
    return open;
  };
  const close = (batch: readonly T[]): void => {
    if (batch === open) open = undefined;
  };
  return { add, close };
};
