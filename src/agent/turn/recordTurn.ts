/** Records a turn while it runs. */
import { catchError, concat, defer, type Observable, of, takeUntil, throwError } from 'rxjs';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { type Event, endsTurn } from '../../protocol/codex/events';
import { isCall, type ResponseItem, type ToolCallItem } from '../../protocol/model/items';
import type { Config } from '../../settings/config';
import { mapInTurn } from '../../streams/scanInTurn';
import { isPrompt } from '../../threads/lines/prompts';
import {
  type ChangedSettings,
  type RolloutEntry,
  type TurnContext,
  toChangedSettings,
} from '../../threads/lines/rolloutEntry';
import { toTokenCount } from '../../threads/lines/tokenCount';
import { ThreadError } from '../../threads/threadError';
import { type History, toOutput } from '../thread/history';
import { type BegunTurn, endOf, type Thread } from '../thread/steps';
import type { Workspace } from '../thread/workspace';

export type RecordTurnDeps = {
  /** Ms since 1970. */
  now: () => number;
};

/** A turn, and `keep`, which receives each new history besides the record. */
type RecordedTurn = { turn: BegunTurn; keep: (history: History) => void };

/**
 * Writes the events and the history of a turn to the record of its thread. Emits the events unchanged; the last one only when
 * the record has everything before it, and other processes may take the thread. The history of a turn follows its first event, even if it
 * was kept before that. A thread that is lost ends the turn with the reason.
 * @param run the turn; it calls `keep` with each new history
 *   run     s-m-z          (s task_started, m a message, z the last)
 *   out     s-m-z
 *   record  SCM-(ZE)       (C the context of the turn, E the end of the turn)
 *   run     s-m-           (stopped)
 *   lost    ---#
 *   out     s-m(Fz)        (F the reason)
 */
export const recordTurn = (
  { now }: RecordTurnDeps,
  { turn, keep }: RecordedTurn,
  run: (keep: RecordedTurn['keep']) => Observable<Event>,
): Observable<Event> =>
  defer(() => {
    const { turnId, thread } = turn;
    const { record, config, settings, recorded } = thread;
    const changed = toChangedSettings(settings, recorded);
    const environment = placeOf(thread);
    const folders = newFolders(thread);
    const { keepAndRecord, begin } = historyRecord(thread, keep);
    return run(keepAndRecord).pipe(
      mapInTurn((event) => {
        record.write(...recordEvent({ turnId, config, changed, environment, folders, nowMs: now() }, event));
        if (!opensThread(event)) begin();
        return endsTurn(event) ? ended(thread, event) : event;
      }),
      takeUntil(record.lost$),
      catchError((error: Error) =>
        error instanceof ThreadError
          ? of(...endOf(turn, { kind: 'failed', message: error.message }))
          : throwError(() => error),
      ),
    );
  });

/** What the record has of a thread after a turn, which records what it changed. */
export const recordedBy = ({ settings, workspace, recordedFolders }: Thread): Pick<Thread, Recorded> => ({
  recorded: settings,
  recordedFolders: { ...recordedFolders, ...workspace.folders },
});

type Recorded = 'recorded' | 'recordedFolders';

const opensThread = (event: Event): boolean => event.kind === 'event' && event.msg.type === 'session_configured';

/** Writes each new history to the record. Histories that were kept before `begin` are written when `begin` is called. */
const historyRecord = ({ record, history }: Thread, keep: RecordedTurn['keep']) => {
  let recorded = history;
  let waiting: History[] | undefined = [];
  const write = (next: History) => {
    record.write(...recordHistory(recorded, next));
    recorded = next;
  };
  const keepAndRecord = (next: History) => {
    if (waiting === undefined) write(next);
    else waiting.push(next);
    keep(next);
  };
  const begin = () => {
    waiting?.forEach(write);
    waiting = undefined;
  };
  return { keepAndRecord, begin };
};

const ended = ({ record }: Thread, event: Event): Observable<Event> =>
  concat(
    record.endTurn(),
    defer(() => record.rest()),
    of(event),
  );

/** A thread that now works on this machine may have begun on another. */
const placeOf = ({ workspace, settings }: Thread): Workspace['environment'] =>
  workspace.environment ?? (settings.config?.environment_id === undefined ? undefined : { id: 'local' });

/** The folders of which the rollout does not say where they led; undefined if there are none. */
const newFolders = ({ workspace, recordedFolders }: Thread): Workspace['folders'] | undefined => {
  const isNew = ([named, folder]: [string, unknown]) =>
    JSON.stringify(folder) !== JSON.stringify(recordedFolders[named]);
  const found = Object.entries(workspace.folders).filter(isNew);
  return found.length === 0 ? undefined : Object.fromEntries(found);
};

/** The entries since the last history, as they come, so that a crash loses little. A compacted history is recorded as a whole. */
export const recordHistory = (before: History, history: History): RolloutEntry[] =>
  isContinued(before, history) ? added(before, history) : compacted(history);

/** Compared by identity: a compacted history has a new first item, even if its length and its last item are the same. */
const isContinued = ({ past }: History, next: History): boolean =>
  past.length === 0 || (next.past[0] === past[0] && next.past[past.length - 1] === past.at(-1));

const added = (before: History, history: History): RolloutEntry[] => {
  const isSameAnswer = history.past === before.past;
  const closed = isSameAnswer ? [] : newInPast(before, history);
  const items = isSameAnswer ? history.items.slice(before.items.length) : history.items;
  const outputs = isSameAnswer ? history.outputs.slice(before.outputs.length) : history.outputs;
  return [...closed, ...items, ...outputs.map(({ call, text }) => toOutput(call, text))].flatMap(toEntries);
};

/** The old past is followed by the answer that was closed, whose items and outputs are already recorded, then by what comes after it. */
const newInPast = (before: History, { past }: History): ResponseItem[] => {
  const known = new Set<ResponseItem>(before.items);
  const answered = new Set(before.outputs.map(({ call }) => keyOf(call)));
  const ownOutputs = new Set(before.items.filter(isCall).map(keyOf));
  return past.slice(before.past.length).filter((item) => {
    if (known.has(item)) return false;
    const isRecorded = 'output' in item && ownOutputs.has(item.call_id) && answered.has(item.call_id);
    return !isRecorded;
  });
};

const keyOf = ({ call_id }: ToolCallItem): string => call_id;

const compacted = ({ past }: History): RolloutEntry[] => [
  { type: 'compacted', payload: { message: '', replacement_history: past } },
];

/** What a person wrote is also recorded as an event, because clients show stored threads by their events. */
const toEntries = (item: ResponseItem): RolloutEntry[] => {
  const entry: RolloutEntry = { type: 'response_item', payload: item };
  if (!isPrompt(item)) return [entry];
  const message = item.content.map((part) => ('text' in part ? part.text : '')).join('');
  const images = item.content.flatMap((part) => (part.type === 'input_image' ? [part.image_url] : []));
  return [
    entry,
    { type: 'event_msg', payload: { type: 'user_message', message, images, local_images: [], text_elements: [] } },
  ];
};

type TurnFacts = {
  turnId: string;
  /** What it runs under. */
  config: Config;
  /** Settings that the rollout does not have yet. */
  changed?: ChangedSettings;
  /** The machine it runs on, if one was chosen. */
  environment?: Workspace['environment'];
  /** Folders that the rollout does not have yet. */
  folders?: Workspace['folders'];
  /** Since 1970. */
  nowMs: number;
};

/** The entries of an event; none for events that clients do not need in order to show a stored thread. */
export const recordEvent = (turn: TurnFacts, event: Event): RolloutEntry[] =>
  event.kind === 'event' ? recordMsg(turn, event.msg) : [];

const recordMsg = (turn: TurnFacts, msg: EventMsg): RolloutEntry[] => {
  const { turnId: turn_id, config, nowMs } = turn;
  switch (msg.type) {
    case 'task_started':
      return [
        toEntry({ ...msg, turn_id, started_at: Math.floor(nowMs / 1000) }),
        { type: 'turn_context', payload: toContext(turn) },
      ];
    case 'agent_message':
      return [toEntry({ ...msg, phase: null })];
    case 'token_count':
      return [toTokenCount({ last: msg, total: msg.total ?? msg, window: config.contextWindow })];
    case 'agent_reasoning':
    case 'agent_reasoning_raw_content':
    case 'error':
    case 'warning':
      return [toEntry(msg)];
    case 'task_complete':
    case 'turn_aborted':
      return [toEntry({ ...msg, turn_id })];
    default:
      return [];
  }
};

const toEntry = (payload: { type: string } & Record<string, unknown>): RolloutEntry => ({ type: 'event_msg', payload });

/** Source: rollouts of codex 0.142.0. */
const toContext = ({ turnId, config, changed = {}, environment, folders }: TurnFacts): TurnContext => ({
  turn_id: turnId,
  cwd: config.cwd,
  approval_policy: config.approvalPolicy,
  sandbox_policy: toPolicy(config),
  model: config.model,
  effort: config.reasoningEffort,
  summary: config.reasoningSummary,
  ...((environment || folders || Object.keys(changed).length > 0) && {
    codex_rx: { ...changed, ...(environment && { environment }), ...(folders && { folders }) },
  }),
});

const toPolicy = ({ sandboxMode, workspaceWrite }: Config): TurnContext['sandbox_policy'] =>
  sandboxMode === 'workspace-write'
    ? {
        type: sandboxMode,
        writable_roots: workspaceWrite.writableRoots,
        network_access: workspaceWrite.networkAccess,
        exclude_tmpdir_env_var: workspaceWrite.excludeTmpdirEnvVar,
        exclude_slash_tmp: workspaceWrite.excludeSlashTmp,
      }
    : { type: sandboxMode };
