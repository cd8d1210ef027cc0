/** The events of a turn as every engine emits them, and the ways in which it ends. */
import type { MonoTypeOperatorFunction, Observable } from 'rxjs';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { type CodexEvent, type DeltaEvents, type Event, endsTurn } from '../../protocol/codex/events';
import type { ThreadOp } from '../../protocol/codex/operations';
import { stoppable } from '../../streams/ends';

/** Whose events they are; both ids are '' while they are not known. */
type TurnIds = { op: Pick<ThreadOp, 'callId' | 'eventId'>; threadId: string; turnId: string };

/** One event of a turn. The first event of a thread has the id '', all others that of their operation. Source: Codex 0.28.0, `codex/event`. */
export const turnEvent = ({ op, threadId, turnId }: TurnIds, msg: EventMsg): CodexEvent => ({
  kind: 'event',
  callId: op.callId,
  threadId,
  turnId,
  id: msg.type === 'session_configured' ? '' : op.eventId,
  msg,
});

/** Deltas of a turn that arrived together. */
export const turnDeltas = ({ op, threadId, turnId }: TurnIds, msgs: readonly EventMsg[]): DeltaEvents => ({
  kind: 'deltas',
  callId: op.callId,
  threadId,
  turnId,
  id: op.eventId,
  msgs,
});

/** Why a turn is stopped from this side: its caller cancelled it, or its time is over, or it has reached a bound. */
export type TurnStop = { kind: 'interrupted' } | { kind: 'expired'; message: string; bound?: CodexEvent['bound'] };

export type TurnEnd =
  | {
      kind: 'finished';
      /** The last message of the agent. */
      message: string | null;
    }
  | {
      kind: 'failed';
      /** What went wrong. */
      message: string;
      bound?: CodexEvent['bound'];
    }
  | TurnStop;

/** The events that end a turn; the last of them is `task_complete` or `turn_aborted`. */
export const closingMsgs = (end: TurnEnd): EventMsg[] => {
  switch (end.kind) {
    case 'finished':
      return [{ type: 'task_complete', last_agent_message: end.message }];
    case 'failed':
      return [
        { type: 'error', message: end.message },
        { type: 'task_complete', last_agent_message: null },
      ];
    case 'interrupted':
      return [ABORTED];
    case 'expired':
      return [{ type: 'error', message: end.message }, ABORTED];
  }
};

/** The same as events of the turn. The event of the error knows the bound. */
export const closingEventsOf = (ids: TurnIds, end: TurnEnd): CodexEvent[] =>
  closingMsgs(end).map((msg) => ({
    ...turnEvent(ids, msg),
    ...(msg.type === 'error' && 'bound' in end && end.bound && { bound: end.bound }),
  }));

const ABORTED: EventMsg = { type: 'turn_aborted', reason: 'interrupted' };

/**
 * Passes the events of a turn up to its last one. If `stop$` emits before, the source is unsubscribed, and the events that `close`
 * makes of the stop end the turn. `stop$` is subscribed first, so a stop in answer to the first event counts. Errors with the source.
 *   in     -a-b--c        in     -a-b--z-   (z the last event)
 *   stop$  ----x          stop$  -------x
 *   out    -a-b(X|)       out    -a-b--(z|)
 */
export const untilStopped = (
  stop$: Observable<TurnStop>,
  close: (stop: TurnStop) => Event[],
): MonoTypeOperatorFunction<Event> => stoppable({ stop$, close, isLast: endsTurn });
