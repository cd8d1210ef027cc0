/** Events: what an engine emits about the calls it was given. */
import type { JsonObject } from '../jsonrpc';
import type { EventMsg } from './eventMsg';

/**
 * What an engine emits about one call.
 * `event`: an event of its turn; `question` is set on an approval request: the id under which its answer must come.
 * `deltas`: the events of `msgs`, deltas that arrived together, in their order; they pass through as one, as there are thousands.
 * `declined`: an action was not taken. `what` names it in words; without a `reason` the client declined it.
 * `rejected`: the call was not begun, `message` says why; nothing follows.
 * `sampling`: the model of the client is asked; its answer must come under the id `question`, `params` are those of MCP's `sampling/createMessage`.
 * `done`: an operation that is no turn was carried out. `joined`: the input of this call was given to the model in the turn of the
 * call `turnCallId`.
 * The last output of a call is `rejected`, `done` or `joined`, or the event `task_complete` or `turn_aborted`; an `error` comes before one of
 * these two.
 */
export type Event =
  | {
      kind: 'event';
      callId: string;
      threadId: string;
      turnId: string;
      id: string;
      msg: EventMsg;
      question?: number;
    }
  | { kind: 'deltas'; callId: string; threadId: string; turnId: string; id: string; msgs: readonly EventMsg[] }
  | { kind: 'declined'; callId: string; what: string; reason?: string; question?: number }
  | { kind: 'sampling'; callId: string; threadId: string; question: number; params: JsonObject }
  | { kind: 'rejected'; callId: string; message: string }
  | { kind: 'done'; callId: string; threadId: string }
  | { kind: 'joined'; callId: string; threadId: string; turnCallId: string };

/** An output of an engine that carries a `msg`. */
export type CodexEvent = Extract<Event, { kind: 'event' }>;
/** An output of an engine that asks the model of the client. */
export type Sampling = Extract<Event, { kind: 'sampling' }>;
/** An output of an engine that carries several deltas, which came together. */
export type DeltaEvents = Extract<Event, { kind: 'deltas' }>;

/** The input of a call went into the turn of another. */
export type Joined = Extract<Event, { kind: 'joined' }>;

/** True for the last output of a call. */
export const isLast = (event: Event): boolean => endsTurn(event) || event.kind === 'done' || event.kind === 'joined';

/** True for the last event of a turn. An input of another call that it took may have `joined` before. */
export const endsTurn = (event: Event): boolean =>
  event.kind === 'rejected' ||
  (event.kind === 'event' && (event.msg.type === 'task_complete' || event.msg.type === 'turn_aborted'));
