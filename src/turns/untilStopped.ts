/** The end of a turn that may be stopped from this side. */
import { concat, defer, type MonoTypeOperatorFunction, type Observable, takeUntil, takeWhile, tap } from 'rxjs';
import { type Event, endsTurn } from '../protocol/codex';
import type { TurnStop } from './turnEnd';

/**
 * Passes the events of a turn up to its last one. Where `stop$` emits before, the source is unsubscribed and what `close`
 * makes of it ends the turn. `stop$` is subscribed first, so a stop in answer to the first event counts. Errors with the source.
 *   in     -a-b--c        in     -a-b--z-   (z the last event)
 *   stop$  ----x          stop$  -------x
 *   out    -a-b(X|)       out    -a-b--(z|)
 */
export const untilStopped =
  (stop$: Observable<TurnStop>, close: (stop: TurnStop) => Event[]): MonoTypeOperatorFunction<Event> =>
  (event$) =>
    defer(() => {
      let stopped: TurnStop | undefined; // set by the stop that ends the source
      const keptStop$ = stop$.pipe(
        tap((stop) => {
          stopped = stop;
        }),
      );
      const closing$ = defer(() => (stopped === undefined ? [] : close(stopped)));
      return concat(event$.pipe(takeUntil(keptStop$)), closing$).pipe(takeWhile((event) => !endsTurn(event), true));
    });
