/** The end of a turn that may be stopped from this side. */
import type { MonoTypeOperatorFunction, Observable } from 'rxjs';
import { type Event, endsTurn } from '../../protocol/codex/events';
import { stoppable } from '../../streams/ends';
import type { TurnStop } from './turnEnd';

/**
 * Passes the events of a turn up to its last one. Where `stop$` emits before, the source is unsubscribed and what `close`
 * makes of it ends the turn. `stop$` is subscribed first, so a stop in answer to the first event counts. Errors with the source.
 *   in     -a-b--c        in     -a-b--z-   (z the last event)
 *   stop$  ----x          stop$  -------x
 *   out    -a-b(X|)       out    -a-b--(z|)
 */
export const untilStopped = (
  stop$: Observable<TurnStop>,
  close: (stop: TurnStop) => Event[],
): MonoTypeOperatorFunction<Event> => stoppable({ stop$, close, isLast: endsTurn });
