/** Where the operations of an engine go: back at once, or to the turn queue of their thread. */
import { connect, defer, filter, groupBy, merge, mergeMap, type OperatorFunction, tap } from 'rxjs';
import { type Event, isLast, type Op, type TurnOp } from '../protocol/codex';
import { ofKind } from '../streams';
import { type QueueInput, queueTurns, type TurnQueue } from './queueTurns';
import type { Rejection } from './rejection';

/** A call that becomes a turn of a thread, or one that cannot begin. */
export type Routed<T> = { kind: 'turn'; turn: T } | Rejection;

/** @param route finds the thread of a call; @param threadOf the same value for all turns of one thread */
export type TurnRouting<T> = TurnQueue<T, Event> & {
  route: (op: TurnOp) => Routed<T>;
  threadOf: (turn: T) => unknown;
};

/**
 * Runs threads side by side, the turns of each one after another. An operation costs the same however many threads there
 * are: only the queue of its own thread receives it. Completes with the source, when all turns have.
 *   op   a-b---c|       (a, c on one thread, b on another; z the last event)
 *   out  t-t-z-zt-(z|)
 */
export const routeTurns =
  <T extends { op: TurnOp }>(routing: TurnRouting<T>): OperatorFunction<Op, Event> =>
  (op$) =>
    defer(() => {
      const threadOfCall = new Map<string, unknown>(); // changed in place; holds the calls that are open
      return op$.pipe(
        mergeMap(toInputs(routing, threadOfCall)), // at once, also what a client sends in answer to the first event
        connect((input$) =>
          merge(
            input$.pipe(ofKind('rejected')),
            input$.pipe(
              filter((input) => input.kind !== 'rejected'),
              groupBy(({ thread }) => thread),
              mergeMap(queueTurns(routing)),
            ),
          ),
        ),
        tap((event) => isLast(event) && threadOfCall.delete(event.callId)),
      );
    });

type RoutedInput<T> = (QueueInput<T> & { thread: unknown }) | Rejection;

/** The operation with its thread; nothing for a cancelled call that is not open. */
const toInputs =
  <T>({ route, threadOf }: TurnRouting<T>, threadOfCall: Map<string, unknown>) =>
  (op: Op): RoutedInput<T>[] => {
    const { callId } = op;
    if (op.kind === 'interrupt') {
      const thread = threadOfCall.get(callId);
      return thread === undefined ? [] : [{ kind: 'interrupt', callId, thread }];
    }
    const routed = route(op);
    if (routed.kind === 'rejected') return [routed];
    const thread = threadOf(routed.turn);
    threadOfCall.set(callId, thread);
    return [{ ...routed, thread }];
  };
