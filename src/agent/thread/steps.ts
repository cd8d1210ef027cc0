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
import type { OwnFolders } from '../../threads/lines/rolloutEntry';
import type { ThreadRecord } from '../../threads/threadRecord';
import type { ToolTable } from '../tools/tool';
import type { SessionApprovals } from '../turns/approval';
import { closingEventsOf, type TurnEnd, turnEvent } from '../turns/turnEvents';
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
  /** The settings that are stored there: as its last turn had them; before its first turn here, as it began or was resumed. */
  recorded: ThreadSettings;
  /** The folders that are stored there. */
  recordedFolders: OwnFolders;
  /** What a person approved for the session. */
  approvals: SessionApprovals;
  /** Where the thread works. */
  workspace: Workspace;
};

/** A turn before its tools are known. */
export type BegunTurn = {
  op: ThreadOp;
  thread: Thread;
  turnId: string;
  /** True for the turn that started its thread. */
  opensThread: boolean;
};

/** One turn of a thread. */
export type Turn = BegunTurn & {
  /** What the model may call. */
  tools: ToolTable;
};

/** The model is asked for an answer. */
export type Sample = {
  kind: 'sample';
  /** How many answers in a row broke off before. */
  attempt: number;
  /** Of the turn so far. */
  lastMessage: string | null;
  /** The requests of those attempts, and when the first attempt began, by `clockMs`; absent before the first. */
  tried?: { requests: number; sinceMs: number };
};

/** An event for the client, or a step in the history of the thread. */
export type TurnStep =
  | Event
  | HistoryStep
  /** What an answer cost. */
  | { kind: 'usage'; usage: TokenUsage }
  /** An answer broke off. */
  | { kind: 'broken'; error: ModelError }
  /** A patch was applied. */
  | { kind: 'patched'; plan: Plan }
  /** The model asked for nothing more. */
  | { kind: 'finished'; message: string | null }
  /** An answer without a message or a call, with the types of its items. */
  | { kind: 'unanswered'; types: readonly string[]; message: string | null }
  /** An item of an unknown type. */
  | { kind: 'unknown'; type: string }
  /** An answer without items. */
  | { kind: 'nothing' }
  /** An image that the model asked for. */
  | { kind: 'image'; url: string }
  /** The shortened conversation. */
  | { kind: 'compacted'; past: readonly ResponseItem[] }
  /** The model refused the conversation because of its length. */
  | { kind: 'tooLong'; message: string }
  | Sample;

/** True for a step that goes to the client. */
export const isEvent = (step: TurnStep): step is Event =>
  step.kind === 'event' ||
  step.kind === 'deltas' ||
  step.kind === 'declined' ||
  step.kind === 'withdrawn' ||
  step.kind === 'sampling' ||
  step.kind === 'file' ||
  step.kind === 'terminal' ||
  step.kind === 'rejected' ||
  step.kind === 'joined' ||
  step.kind === 'done';

/** An event of this turn. */
export const eventOf = ({ op, thread, turnId }: BegunTurn, msg: EventMsg): CodexEvent =>
  turnEvent({ op, threadId: thread.id, turnId }, msg);

/** The events that end a turn. */
export const endOf = ({ op, thread, turnId }: BegunTurn, end: TurnEnd): CodexEvent[] =>
  closingEventsOf({ op, threadId: thread.id, turnId }, end);

/** The output of a call, for the model. */
export const outputOf = (call: ToolCallItem, text: string): TurnStep => ({ kind: 'output', call, text });

/** The output of a call that was not done, because it is no call of a tool, does not fit, or is forbidden. */
export const refusalOf = (call: ToolCallItem, text: string): TurnStep => ({
  kind: 'output',
  call,
  text,
  isRefused: true,
});
