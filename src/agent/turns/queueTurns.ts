/** The turn queue of one thread. */
import { connect, defer, EMPTY, type Observable, type OperatorFunction } from 'rxjs';
import type { Event } from '../../protocol/codex/events';
import type { InterruptThreadOp, ThreadOp, TurnOp } from '../../protocol/codex/operations';
import { divert } from '../../streams/divert';
import { gather, mapMulti } from '../../streams/gather';
import { mapInTurn } from '../../streams/scanInTurn';
import type { TurnStop } from './turnEvents';

/** What the queue of a thread receives. */
export type QueueInput<T> =
  | { kind: 'turn'; turn: T }
  /** A call was cancelled. */
  | { kind: 'interrupt'; callId: string }
  /** The running turn is to stop, and waiting input is withdrawn. */
  | { kind: 'interruptThread'; op: InterruptThreadOp };

/** Input that the running turn may take, until it is withdrawn. */
export type InputOffer = { kind: 'offered'; op: TurnOp } | { kind: 'withdrawn'; callId: string };

/** How a running turn is connected to the queue of its thread. */
export type TurnPorts = {
  /** Emits when the turn is to be stopped. */
  stop$: Observable<TurnStop>;
  /** Emits the waiting inputs, then new ones. A turn that takes an input emits `joined` for it; otherwise the input is a turn of its own later. */
  input$: Observable<InputOffer>;
};

export type TurnQueue<T> = {
  /** Runs one turn. */
  run: (turn: T, ports: TurnPorts) => Observable<Event>;
  /** The events of a turn whose call was cancelled before it ran. */
  withdrawn: (turn: T) => Event[];
  /** The last event of an operation that stopped the turn of the thread. */
  interrupted: (op: InterruptThreadOp) => Event;
};

/** The state of a queue. Changed in place, because thousands of turns may wait, and each comes and goes once. */
type Queue<T> = {
  /** By call. */
  waiting: Map<string, T>;
  /** The call of the running turn, if any. */
  running: Set<string>;
  /** The operations that stopped the running turn. */
  stoppers: InterruptThreadOp[];
};

/**
 * Runs one turn after another, in the order in which they came. A turn that is cancelled while it waits never runs; `close` withdraws all
 * turns that wait before it. Completes after the source, with the last turn; errors with `run`.
 *   in   1-2-3-x-y----|   (x cancels 3, y cancels 1)
 *   out  a-----w-(ab)-|   (w: 3 is withdrawn; 2 begins when 1 has stopped)
 *   in   1-i--j-----|     (i, j inputs)
 *   out  a---J--(aj)|     (J: i joined 1; j did not and is the next turn)
 */
export const queueTurns =
  <T extends { op: ThreadOp }>(deps: TurnQueue<T>): OperatorFunction<QueueInput<T>, Event> =>
  (input$) =>
    defer(() => {
      const queue: Queue<T> = { waiting: new Map(), running: new Set(), stoppers: [] };
      const turns = (shared$: Observable<QueueInput<T>>) =>
        divert<QueueInput<T>, { turn: T }, Event>({
          project: (input, { emit, divert }) => {
            receive(deps, queue, input).forEach(emit);
            if (input.kind === 'turn') divert(input);
          },
          other: mapInTurn(start(deps, queue, shared$)),
        });
      return input$.pipe(connect((shared$) => shared$.pipe(turns(shared$))));
    });

/** What follows at once: the events of withdrawn turns, and the end of an interrupt if no turn runs. */
const receive = <T extends { op: ThreadOp }>(
  { withdrawn, interrupted }: TurnQueue<T>,
  queue: Queue<T>,
  input: QueueInput<T>,
): Event[] => {
  const turns = [...withdrawnBy(queue, input)];
  for (const { op } of turns) queue.waiting.delete(op.callId);
  const events = turns.flatMap(withdrawn);
  if (input.kind === 'turn') queue.waiting.set(input.turn.op.callId, input.turn);
  if (input.kind !== 'interruptThread') return events;
  if (queue.running.size === 0) return [...events, interrupted(input.op)];
  queue.stoppers.push(input.op);
  return events;
};

const withdrawnBy = <T extends { op: ThreadOp }>({ waiting }: Queue<T>, input: QueueInput<T>): Iterable<T> => {
  switch (input.kind) {
    case 'turn':
      return input.turn.op.kind === 'close' ? waiting.values() : [];
    case 'interrupt': {
      const turn = waiting.get(input.callId);
      return turn === undefined ? [] : [turn];
    }
    case 'interruptThread':
      return [...waiting.values()].filter(({ op }) => op.kind === 'input');
  }
};

const start =
  <T extends { op: ThreadOp }>(deps: TurnQueue<T>, queue: Queue<T>, shared$: Observable<QueueInput<T>>) =>
  ({ turn }: { turn: T }): Observable<Event> => {
    const { callId } = turn.op;
    if (!queue.waiting.delete(callId)) return EMPTY;
    queue.running.add(callId);
    const stop$ = shared$.pipe(
      mapMulti<QueueInput<T>, TurnStop>((input, emit) => isStop(input, callId) && emit({ kind: 'interrupted' })),
    );
    return deps.run(turn, { stop$, input$: offers(queue, shared$) }).pipe(
      gather<Event, Event>(() => ({
        next: (event, emit) => {
          if (event.kind === 'joined') queue.waiting.delete(event.callId);
          emit(event);
        },
        end: (emit) => {
          queue.running.delete(callId);
          for (const op of queue.stoppers.splice(0)) emit(deps.interrupted(op));
        },
      })),
    );
  };

const isStop = <T extends { op: ThreadOp }>(input: QueueInput<T>, callId: string): boolean => {
  if (input.kind === 'turn') return input.turn.op.kind === 'close';
  return input.kind === 'interruptThread' || input.callId === callId;
};

/** The inputs that wait at the time of the subscription, and all that come later. */
const offers = <T extends { op: ThreadOp }>(
  { waiting }: Queue<T>,
  shared$: Observable<QueueInput<T>>,
): Observable<InputOffer> =>
  shared$.pipe(
    gather((emit) => {
      for (const turn of waiting.values()) toOffers(turn).forEach(emit);
      return {
        next: (input) => {
          if (input.kind === 'turn') toOffers(input.turn).forEach(emit);
          if (input.kind === 'interrupt') emit({ kind: 'withdrawn', callId: input.callId });
        },
      };
    }),
  );

const toOffers = ({ op }: { op: ThreadOp }): InputOffer[] => (op.kind === 'input' ? [{ kind: 'offered', op }] : []);
