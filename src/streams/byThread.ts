/** Owns where the calls of an engine go: back at once, or to the turns of their thread. */
import { connect, groupBy, map, merge, mergeMap, type Observable, type OperatorFunction } from 'rxjs';
import type { Event, Op, TurnOp } from '../protocol/codex';
import { ofKind } from './ofKind';

/** A call that becomes a turn, or one that cannot begin. */
export type Addressed<T> = { kind: 'wanted'; turn: T } | Extract<Event, { kind: 'rejected' }>;

/** @param run the turns of one thread; `cancelled$` are the calls, by id, as they are taken back */
export type Threads<T> = {
  address: (op: TurnOp) => Addressed<T>;
  threadOf: (turn: T) => unknown;
  run: (cancelled$: Observable<string>) => OperatorFunction<T, Event>;
};

/**
 * Threads run side by side, each its own turns. Completes with its source, when all threads have.
 *   op   a-b---c|       (a, c on one thread, b on another; z the last event)
 *   out  t-t-z-zt-(z|)
 */
export const byThread =
  <T>({ address, threadOf, run }: Threads<T>): OperatorFunction<Op, Event> =>
  (op$) =>
    op$.pipe(
      connect((shared$) => {
        const cancelled$ = shared$.pipe(
          ofKind('interrupt'),
          map(({ callId }) => callId),
        );
        return shared$.pipe(
          ofKind('turn'),
          map(address),
          connect((addressed$) =>
            merge(
              addressed$.pipe(ofKind('rejected')),
              addressed$.pipe(
                ofKind('wanted'),
                map(({ turn }) => turn),
                groupBy(threadOf),
                mergeMap(run(cancelled$)),
              ),
            ),
          ),
        );
      }),
    );
