/** The turn queue of one thread. */
import {
  concatMap,
  connect,
  defer,
  EMPTY,
  filter,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  tap,
} from 'rxjs';
import type { TurnOp } from '../protocol/codex';
import { mapInTurn, ofKind } from '../streams';
import type { TurnStop } from './turnEnd';

/** What the queue of a thread receives: a turn, or that a call was cancelled. */
export type QueueInput<T> = { kind: 'turn'; turn: T } | { kind: 'interrupt'; callId: string };

/**
 * @param run one turn; `stop$` emits when its call is cancelled while it runs
 * @param withdrawn the events of a turn whose call was cancelled before it ran
 */
export type TurnQueue<T, R> = {
  run: (turn: T, stop$: Observable<TurnStop>) => Observable<R>;
  withdrawn: (turn: T) => R[];
};

/**
 * Runs one turn after another, in the order they came. A turn that is cancelled while it waits never runs.
 * Completes when the source has and the last turn ran; errors with `run`.
 *   in   1-2-3-x-y----|   (x cancels 3, y cancels 1)
 *   out  a-----wab----|   (w: 3 is withdrawn; 2 begins when 1 has stopped)
 */
export const queueTurns =
  <T extends { op: TurnOp }, R>({ run, withdrawn }: TurnQueue<T, R>): OperatorFunction<QueueInput<T>, R> =>
  (input$) =>
    defer(() => {
      const waiting = new Map<string, T>(); // changed in place: thousands may wait, and each comes and goes once
      const withdraw = ({ callId }: { callId: string }): R[] => {
        const turn = waiting.get(callId);
        waiting.delete(callId);
        return turn === undefined ? [] : withdrawn(turn);
      };
      return input$.pipe(
        tap((input) => input.kind === 'turn' && waiting.set(input.turn.op.callId, input.turn)),
        connect((shared$) => {
          const cancelled$ = shared$.pipe(ofKind('interrupt'));
          const start = ({ turn }: { turn: T }): Observable<R> => {
            const { callId } = turn.op;
            const stop$ = cancelled$.pipe(
              filter((cancelled) => cancelled.callId === callId),
              map((): TurnStop => ({ kind: 'interrupted' })),
            );
            return waiting.delete(callId) ? run(turn, stop$) : EMPTY;
          };
          return merge(cancelled$.pipe(concatMap(withdraw)), shared$.pipe(ofKind('turn'), mapInTurn(start)));
        }),
      );
    });
