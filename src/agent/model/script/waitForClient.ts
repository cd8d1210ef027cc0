/** Makes a source that is as fast as memory wait for a slow client, such as one behind a network. */
import { type MonoTypeOperatorFunction, map, type Observable, of, switchMap, take, timer } from 'rxjs';
import type { ModelEvent } from '../../../protocol/model/events';
import type { Backpressure } from '../../../streams/backpressure/backpressure';
import { scanInTurn } from '../../../streams/scanInTurn';

/** How much is emitted in one turn of the event loop, in which nothing is written: characters, and a fixed cost per event. */
const BURST = 65_536;
const EVENT_COST = 256;

type State = { left: number; event: ModelEvent | undefined };

/**
 * Emits the events in bursts. After a burst the queue to the client is checked: while it is full, the rest waits.
 *   in     (abcd|)        (a burst is a and b, and fills the queue)
 *   drain  ---d
 *   out    (ab)-(cd|)
 */
export const waitForClient =
  (backpressure: Backpressure): MonoTypeOperatorFunction<ModelEvent> =>
  (event$) =>
    event$.pipe(
      scanInTurn(
        ({ left }: State, event) => {
          const next = { left: left - costOf(event), event };
          return left > 0 ? next : nextBurst(backpressure).pipe(map(() => ({ ...next, left: BURST - costOf(event) })));
        },
        { left: BURST, event: undefined },
      ),
      map(({ event }) => event as ModelEvent),
    );

const costOf = (event: ModelEvent): number => EVENT_COST + ('delta' in event ? event.delta.length : 0);

/** What was emitted is written at the end of this turn. */
const nextBurst = ({ isFull, drain$ }: Backpressure): Observable<unknown> =>
  timer(0).pipe(switchMap(() => (isFull() ? drain$.pipe(take(1)) : of(0))));
