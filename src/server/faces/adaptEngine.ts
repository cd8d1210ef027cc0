/** Changes the events of an engine for the clients of an old release. */
import { connect, map, merge, scan } from 'rxjs';
import type { Engine } from '../../protocol/codex/engine';
import type { Event } from '../../protocol/codex/events';
import type { Op } from '../../protocol/codex/operations';
import { flatten } from '../../streams/gather';

/** A state, and the events that replace an event of the engine. */
export type Adapted<S> = { state: S; output: readonly Event[] };

export type EventAdapter<S> = {
  initial: S;
  /** Gets each operation before the engine does. */
  receiveOp: (state: S, op: Op) => S;
  /** Returns the events that replace an event. */
  receiveEvent: (state: S, event: Event) => Adapted<S>;
};

/**
 * The engine with the events of the adapter.
 *   op$     o-----      (o an operation, which the adapter only sees)
 *   engine  --a-b-
 *   out     --A-(Bc)-
 */
export const adaptEngine =
  <S>({ initial, receiveOp, receiveEvent }: EventAdapter<S>) =>
  (engine: Engine): Engine =>
  (ask) =>
  (op$) =>
    op$.pipe(
      // The first branch is subscribed first, so the adapter has an operation before the engine answers it.
      connect((shared$) =>
        merge(
          shared$.pipe(
            map(
              (op) =>
                (state: S): Adapted<S> => ({ state: receiveOp(state, op), output: [] }),
            ),
          ),
          shared$.pipe(
            engine(ask),
            map((event) => (state: S) => receiveEvent(state, event)),
          ),
        ),
      ),
      scan(({ state }, step) => step(state), { state: initial, output: [] } as Adapted<S>),
      map(({ output }) => output),
      flatten(),
    );
