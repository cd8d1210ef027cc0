/** Steps that may take time: one item after another, or a few at a time. */
import Denque from 'denque';
import { defer, isObservable, type Observable, type OperatorFunction, Subscriber } from 'rxjs';
import { operate } from './operate';

/** The state after an item: a value, or a stream of states. Each state is emitted, and the last one is passed on to the next item. */
type Reducer<T, S, Z = S> = (state: S | Z, item: T) => S | Observable<S>;

/**
 * Like `mergeScan` with a concurrency of one, but a step that takes no time gives its state as a value, and waiting items are taken in a
 * loop: RxJS starts the next from inside the completion of the one before, so a thousand waiting items overflow the stack.
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

/** Like `concatMap`, however many items wait. No result is retained after it was emitted: it may be large, and the next item may come late. */
export const mapInTurn = <T, R>(project: (item: T) => R | Observable<R>): OperatorFunction<T, R> =>
  inTurn(project, () => {});

/**
 * Like `mergeMap` with a concurrency, however many items wait: `mergeMap` also moves all that wait for each item that it takes, so 100,000 take seconds.
 *   in   abc------|
 *   out  ---A-B--C-|     (two at once: a takes 3 frames, b 4, c 5)
 */
export const mapAtOnce = <T, R>(atOnce: number, project: (item: T) => Observable<R>): OperatorFunction<T, R> =>
  inTurn<T, R>(project, () => {}, atOnce);

const inTurn = <T, R>(project: Project<T, R>, settled: (result: R) => void, atOnce = 1): OperatorFunction<T, R> =>
  operate((subscriber) => new InTurnSubscriber(subscriber, { project, settled, atOnce }));

type Project<T, R> = (item: T) => R | Observable<R>;

type Turns<T, R> = {
  project: Project<T, R>;
  /** Is called with each result before it is emitted. */
  settled: (result: R) => void;
  /** How many steps may run at the same time. */
  atOnce: number;
};

/** Observers made of functions would cost each event of a turn a dozen more calls. */
class InTurnSubscriber<T, R> extends Subscriber<T> {
  private readonly waiting = new Denque<T>(); // changes in place; stays fast when it is long
  private running = 0; // steps that have begun and not completed
  private isTaking = false; // takeWaiting is running further down the stack, and takes what is added meanwhile
  private isOver = false; // the source has completed

  constructor(
    private readonly subscriber: Subscriber<R>,
    private readonly turns: Turns<T, R>,
  ) {
    super(subscriber);
  }

  /** Emits a result of the step, after it was stored as the state. */
  settle(result: R): void {
    this.turns.settled(result);
    this.subscriber.next(result);
  }

  /** A step has completed: the next one begins. */
  done(): void {
    this.running -= 1;
    this.takeWaiting();
  }

  protected override _next(item: T): void {
    this.waiting.push(item);
    this.takeWaiting();
  }

  protected override _complete(): void {
    this.unsubscribe();
    this.isOver = true;
    this.takeWaiting();
  }

  /** Takes one item after another; an exception becomes the error of the subscriber. */
  private takeWaiting(): void {
    if (this.isTaking) return;
    this.isTaking = true;
    try {
      while (this.running < this.turns.atOnce && !this.waiting.isEmpty() && !this.subscriber.closed)
        this.take(this.waiting.shift() as T);
      if (this.isOver && this.running === 0) this.subscriber.complete();
    } catch (reason) {
      this.subscriber.error(reason);
    }
    this.isTaking = false;
  }

  private take(item: T): void {
    this.running += 1; // before the step begins, as it may finish synchronously
    const next = this.turns.project(item);
    if (isObservable(next)) {
      next.subscribe(new StepSubscriber(this.subscriber, this));
      return;
    }
    this.settle(next);
    this.running -= 1;
  }
}

/** Receives the results of a step that takes time. */
class StepSubscriber<R> extends Subscriber<R> {
  constructor(
    subscriber: Subscriber<R>,
    private readonly turns: Pick<InTurnSubscriber<unknown, R>, 'settle' | 'done'>,
  ) {
    super(subscriber);
  }

  protected override _next(result: R): void {
    this.turns.settle(result);
  }

  protected override _complete(): void {
    this.unsubscribe();
    this.turns.done();
  }
}
