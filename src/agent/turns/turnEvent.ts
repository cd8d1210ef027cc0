/** The events of a turn, as every engine emits them. */

import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { CodexEvent, DeltaEvents } from '../../protocol/codex/events';
import type { ThreadOp } from '../../protocol/codex/operations';

/** Whose events they are; both ids are '' while they are not known. */
export type TurnIds = { op: Pick<ThreadOp, 'callId' | 'eventId'>; threadId: string; turnId: string };

/**
 * One event of a turn. The first event of a thread goes under the id '', all others under the id of their turn's operation.
 * Source: Codex 0.28.0, tapes of `codex/event`.
 */
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
