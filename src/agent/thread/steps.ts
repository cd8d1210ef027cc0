/** What happens in a turn of the native engine, one step after another. */

import type { Plan } from '../../executor/patch/plan';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { CodexEvent, Event } from '../../protocol/codex/events';
import type { ThreadOp } from '../../protocol/codex/operations';
import type { ThreadSettings } from '../../protocol/codex/settings';
import type { TokenUsage } from '../../protocol/model/events';
import type { ResponseItem, ToolCallItem } from '../../protocol/model/items';
import type { Model, ModelError } from '../../protocol/model/model';
import type { Config } from '../../settings/config';
import type { ThreadRecord } from '../../threads/threadRecord';
import type { ToolTable } from '../tools/toolTable';
import type { SessionApprovals } from '../turns/sessionApprovals';
import { closingMsgs, type TurnEnd } from '../turns/turnEnd';
import { turnEvent } from '../turns/turnEvent';
import type { History, HistoryStep } from './history';
import type { Workspace } from './workspace';

/** An open conversation. */
export type Thread = {
  /** Its id. */
  id: string;
  /** The settings that it was started with, plus what turns have changed for good. */
  settings: ThreadSettings;
  /** What follows from these settings. */
  config: Config;
  /** The model that it asks. */
  model: Model;
  /** What was exchanged so far. */
  history: History;
  /** Where it is stored. */
  record: ThreadRecord;
  /** The settings that are stored there: those that it began with here, or was resumed with. */
  recorded: ThreadSettings;
  /** What a person approved for the session. */
  approvals: SessionApprovals;
  /** Where it works. */
  workspace: Workspace;
};

/** A turn before its tools are known; `opensThread` is true on the one that started its thread. */
export type BegunTurn = { op: ThreadOp; thread: Thread; turnId: string; opensThread: boolean };

/** One turn of a thread; `tools` are what the model may call. */
export type Turn = BegunTurn & { tools: ToolTable };

/**
 * Asks the model for an answer; `attempt` counts consecutive broken answers, `lastMessage` is the last one of the turn. `tried`: the requests
 * of those attempts, and when the first of them began, in ms of `clockMs`; absent before the first.
 */
export type Sample = {
  kind: 'sample';
  attempt: number;
  lastMessage: string | null;
  tried?: { requests: number; sinceMs: number };
};

/**
 * An event for the client, or a step in the history of the thread. `usage`: what an answer cost; `broken`: an answer broke off;
 * `patched`: a patch was applied; `sample`: the model is asked once more; `finished`: it asked for nothing more;
 * `unanswered`: an answer without a message or a call, with the types of its items; `unknown`: such an item; `nothing`: an answer without
 * items; `image`: an image that the model asked for; `compacted`: the shortened conversation; `tooLong`: the model refused the
 * conversation because of its length.
 */
export type TurnStep =
  | Event
  | HistoryStep
  | { kind: 'usage'; usage: TokenUsage }
  | { kind: 'broken'; error: ModelError }
  | { kind: 'patched'; plan: Plan }
  | { kind: 'finished'; message: string | null }
  | { kind: 'unanswered'; types: readonly string[]; message: string | null }
  | { kind: 'unknown'; type: string }
  | { kind: 'nothing' }
  | { kind: 'image'; url: string }
  | { kind: 'compacted'; past: readonly ResponseItem[] }
  | { kind: 'tooLong'; message: string }
  | Sample;

/** True for a step that goes to the client. */
export const isEvent = (step: TurnStep): step is Event =>
  step.kind === 'event' ||
  step.kind === 'deltas' ||
  step.kind === 'declined' ||
  step.kind === 'sampling' ||
  step.kind === 'rejected' ||
  step.kind === 'joined' ||
  step.kind === 'done';

/** An event of this turn. */
export const eventOf = ({ op, thread, turnId }: BegunTurn, msg: EventMsg): CodexEvent =>
  turnEvent({ op, threadId: thread.id, turnId }, msg);

/** The events that end a turn. */
export const endOf = (turn: BegunTurn, end: TurnEnd): CodexEvent[] => closingMsgs(end).map((msg) => eventOf(turn, msg));

/** The output of a call, for the model. */
export const outputOf = (call: ToolCallItem, text: string): TurnStep => ({ kind: 'output', call, text });
