/** Emits none, one or many values for each item, with a state for each subscription. */
import { identity, type OperatorFunction, Subscriber } from 'rxjs';
import { operate } from './operate';

type Emit<R> = (value: R) => void;

/** Handles one subscription. The source is unsubscribed before its end is handled. */
type Gatherer<T, R> = {
  /** Handles an item; `complete` ends the stream. */
  next: (item: T, emit: Emit<R>, complete: () => void) => void;
  /** Handles the end of the source. */
  end?: (emit: Emit<R>) => void;
  /** Makes an end of the source's error. Default: the error is passed on. */
  fail?: (reason: unknown, emit: Emit<R>) => void;
};

/**
 * Creates a gatherer for each subscription, which may emit before the source is subscribed. This is one subscriber; `startWith`, `scan`, `takeWhile`,
 * `filter`, `map` and `endWith` are one each and `concatMap` is one per item. So it is used on the path of every turn and every line.
 * Completes with the source; errors with it, unless the gatherer handles the error, and with what the gatherer throws.
 *   in      a---b-c--|     (B before the source; a gives x and y, b nothing, c z; E after it)
 *   out  (Bxy)----z--(E|)
 */
export const gather = <T, R>(begin: (emit: Emit<R>) => Gatherer<T, R>): OperatorFunction<T, R> =>
  operate((subscriber) => {
    const emit = (value: R): void => subscriber.next(value);
    const finish = (): void => subscriber.complete();
    return new GatheringSubscriber(subscriber, begin(emit), { emit, finish });
  });

/**
 * A subscriber class, because an observer made of functions would cost each item two more calls. Its functions are passed in: V8 allocates a function
 * that is assigned to a property among the old objects, where it retains all that it closes over until the next full collection.
 */
class GatheringSubscriber<T, R> extends Subscriber<T> {
  private readonly emit: Emit<R>;
  private readonly finish: () => void;

  constructor(
    private readonly subscriber: Subscriber<R>,
    private readonly gatherer: Gatherer<T, R>,
    { emit, finish }: { emit: Emit<R>; finish: () => void },
  ) {
    super(subscriber);
    this.emit = emit;
    this.finish = finish;
  }

  protected override _next(item: T): void {
    try {
      this.gatherer.next(item, this.emit, this.finish);
    } catch (reason) {
      this.subscriber.error(reason);
    }
  }

  protected override _complete(): void {
    const { end } = this.gatherer;
    if (end === undefined) super._complete();
    else this.finishWith(() => end(this.emit));
  }

  protected override _error(error: unknown): void {
    const { fail } = this.gatherer;
    if (fail === undefined) super._error(error);
    else this.finishWith(() => fail(error, this.emit));
  }

  private finishWith(last: () => void): void {
    this.unsubscribe();
    try {
      last();
    } catch (reason) {
      this.subscriber.error(reason);
    }
    this.subscriber.complete();
  }
}

/**
 * Calls `project` with each item; what it passes to `emit` is emitted at once and in order. Completes and errors with the source;
 * errors with what `project` throws.
 *   in  a---b-c--|     (a emits x and y, b nothing, c z)
 *   out (xy)--z--|
 */
export const mapMulti = <T, R>(project: (item: T, emit: Emit<R>) => void): OperatorFunction<T, R> =>
  gather(() => ({ next: project }));

/**
 * Each item becomes the members of the list that `project` makes from it, at once and in order. Completes and errors with the source; errors with
 * what `project` throws.
 *   in  a---b-|     (a gives [1,2], b [])
 *   out (12)--|
 */
export const mapMany = <T, R>(project: (item: T) => readonly R[]): OperatorFunction<T, R> =>
  mapMulti((item, emit) => {
    for (const one of project(item)) emit(one);
  });

/**
 * Each array becomes its members, at once and in order. Completes and errors with the source.
 *   in  a---b-|     (a [1,2], b [])
 *   out (12)--|
 */
export const flatten = <T>(): OperatorFunction<readonly T[], T> => mapMany(identity);

/** The next state of a reducer, and the value to emit, if there is one. */
export type Accumulated<S, R> = { state: S; output?: R };

/** The next state of a reducer, and the values to emit. */
export type Reduced<S, O> = { state: S; output: readonly O[] };

/**
 * Like `scan`, but emits the outputs of the reducer and keeps its state to itself. Each subscription begins with `seed`. Completes
 * and errors with the source; errors with what `reduce` throws.
 *   in   a--b--c-|     (b has no output)
 *   out  A-----C-|
 */
export const mapAccum = <S, T, R>(reduce: (state: S, item: T) => Accumulated<S, R>, seed: S): OperatorFunction<T, R> =>
  gather(() => {
    let state = seed;
    return {
      next: (item, emit) => {
        const step = reduce(state, item);
        state = step.state;
        if (step.output !== undefined) emit(step.output);
      },
    };
  });
