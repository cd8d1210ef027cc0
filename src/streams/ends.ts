/** How a stream ends: with a step that closes something, with a second stream, because another stream stops it, or unnoticed. */
import {
  catchError,
  concat,
  defer,
  dematerialize,
  EMPTY,
  ignoreElements,
  type MonoTypeOperatorFunction,
  materialize,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  Subscriber,
  tap,
} from 'rxjs';
import { operate } from './operate';

/**
 * Passes the source on; its end, or its error, follows once `close` has completed. Errors with `close`. Unsubscribing does not call `close`.
 *   in     a-b-|
 *   close      --|
 *   out    a-b---|
 */
export const closedBy =
  <T>(close: () => Observable<never>): MonoTypeOperatorFunction<T> =>
  (item$) =>
    item$.pipe(
      materialize(),
      mergeMap((event) => (event.kind === 'N' ? of(event) : concat(close(), of(event)))),
      dematerialize(),
    );

/**
 * Emits the items of the source, then the items of the stream that `next` makes from their sum. Completes with that stream; errors with either.
 *   in  a-b-|
 *   out a-b-(S|)   (S from next(sum of a and b))
 */
export const followedBy =
  <T, S>(sum: (state: S, item: T) => S, seed: S, next: (state: S) => Observable<T>): MonoTypeOperatorFunction<T> =>
  (item$) =>
    defer(() => {
      let state = seed;
      const summed$ = item$.pipe(
        tap((item) => {
          state = sum(state, item);
        }),
      );
      return concat(
        summed$,
        defer(() => next(state)),
      );
    });

type Stop<T, S> = {
  /** Its first value stops the stream. */
  stop$: Observable<S>;
  /** The items that end a stopped stream. */
  close: (stop: S) => readonly T[];
  /** True for the item that ends a stream which is not stopped. */
  isLast: (item: T) => boolean;
};

/**
 * Passes the source up to its last item. If `stop$` emits before that, the source is unsubscribed, and what `close` makes of the stop ends
 * the stream. `stop$` is subscribed first, so a stop in response to the first item counts. Completes and errors with the source.
 *   in     -a-b--c        in     -a-b--z-   (z the last item)
 *   stop$  ----x          stop$  -------x
 *   out    -a-b(X|)       out    -a-b--(z|)
 */
export const stoppable = <T, S>(stop: Stop<T, S>): MonoTypeOperatorFunction<T> =>
  operate((subscriber) => new StoppableSubscriber(subscriber, stop));

class StoppableSubscriber<T, S> extends Subscriber<T> {
  constructor(
    private readonly subscriber: Subscriber<T>,
    private readonly stop: Stop<T, S>,
  ) {
    super(subscriber);
    this.add(stop.stop$.subscribe({ next: this.close, error: (reason) => subscriber.error(reason) }));
  }

  protected override _next(item: T): void {
    this.subscriber.next(item);
    if (this.stop.isLast(item)) this.subscriber.complete();
  }

  private readonly close = (stop: S): void => {
    this.unsubscribe();
    try {
      for (const item of this.stop.close(stop)) this.subscriber.next(item);
    } catch (reason) {
      this.subscriber.error(reason);
    }
    this.subscriber.complete();
  };
}

/**
 * Emits nothing and never errors: completes when the source ends, however it does.
 *   in   -a-#
 *   out  ---|
 */
export const muted = (): OperatorFunction<unknown, never> => (source$) =>
  source$.pipe(
    ignoreElements(),
    catchError(() => EMPTY),
  );
