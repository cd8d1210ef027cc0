/** Where the operations of an engine go: back at once, or to the turn queue of their thread. */
import { connect, defer, filter, groupBy, merge, mergeMap, type OperatorFunction, tap } from 'rxjs';
import { type Event, isLast, type Op, type ThreadOp, type ThreadRef } from '../protocol/codex';
import { ofKind } from '../streams';
import { type QueueInput, queueTurns, type TurnQueue } from './queueTurns';
import { noThreadText, type Rejection, rejection } from './rejection';

/** A call that becomes a turn of a thread, or one that cannot begin. */
export type Routed<T> = { kind: 'turn'; turn: T } | Rejection;

/**
 * @param route finds the thread of a call; @param threadOf the same value for all turns of one thread
 * @param find the value of a thread that is known, without a turn; @param idOf the id of a thread, '' while it has none
 */
export type TurnRouting<T, K> = Omit<TurnQueue<T>, 'interrupted'> & {
  route: (op: ThreadOp) => Routed<T>;
  threadOf: (turn: T) => K;
  find: (ref: ThreadRef) => K | undefined;
  idOf: (thread: K) => string;
};

/**
 * Runs threads side by side, the turns of each one after another. An operation costs the same however many threads there
 * are: only the queue of its own thread receives it. Completes with the source, when all turns have.
 *   op   a-b---c|       (a, c on one thread, b on another; z the last event)
 *   out  t-t-z-zt-(z|)
 */
export const routeTurns =
  <T extends { op: ThreadOp }, K>(routing: TurnRouting<T, K>): OperatorFunction<Op, Event> =>
  (op$) =>
    defer(() => {
      const threadOfCall = new Map<string, K>(); // changed in place; holds the calls that are open
      return op$.pipe(
        mergeMap(toInputs(routing, threadOfCall)), // at once, also what a client sends in answer to the first event
        connect((input$) =>
          merge(
            input$.pipe(ofKind('rejected')),
            input$.pipe(
              filter((input) => input.kind !== 'rejected'),
              groupBy(({ thread }) => thread),
              mergeMap((group$) =>
                group$.pipe(
                  queueTurns({
                    ...routing,
                    interrupted: ({ callId }) => ({ kind: 'done', callId, threadId: routing.idOf(group$.key) }),
                  }),
                ),
              ),
            ),
          ),
        ),
        tap((event) => isLast(event) && threadOfCall.delete(event.callId)),
      );
    });

type RoutedInput<T, K> = (QueueInput<T> & { thread: K }) | Rejection;

/** The operation with its thread; nothing for a cancelled call that is not open. */
const toInputs =
  <T, K>({ route, threadOf, find }: TurnRouting<T, K>, threadOfCall: Map<string, K>) =>
  (op: Op): RoutedInput<T, K>[] => {
    const { callId } = op;
    if (op.kind === 'interrupt') {
      const thread = threadOfCall.get(callId);
      return thread === undefined ? [] : [{ kind: 'interrupt', callId, thread }];
    }
    if (op.kind === 'interruptThread') {
      const thread = find(op.thread);
      return [thread === undefined ? rejection(op, noThreadText(op.thread)) : { kind: op.kind, op, thread }];
    }
    const routed = route(op);
    if (routed.kind === 'rejected') return [routed];
    const thread = threadOf(routed.turn);
    threadOfCall.set(callId, thread);
    return [{ ...routed, thread }];
  };
