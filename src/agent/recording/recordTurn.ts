/** Records a turn while it runs. */
import { catchError, concat, defer, EMPTY, identity, NEVER, type Observable, of, takeUntil, throwError } from 'rxjs';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { type Event, endsTurn } from '../../protocol/codex/events';
import type { ResponseItem, ToolCallItem } from '../../protocol/model/items';
import type { Config } from '../../settings/config';
import { mapInTurn } from '../../streams/scanInTurn';
import { isPrompt } from '../../threads/lines/prompts';
import type { RolloutEntry, TurnContext } from '../../threads/lines/rolloutEntry';
import { toTokenCount } from '../../threads/lines/tokenCount';
import { ThreadError } from '../../threads/threadError';
import { type History, isCall, toOutput } from '../thread/history';
import { type BegunTurn, endOf } from '../thread/steps';
import type { Workspace } from '../thread/workspace';

/** @param now ms since 1970 */
export type RecordTurnDeps = { now: () => number };

/** @param keep what else the turn does with its history */
export type RecordedRun = { turn: BegunTurn; keep: (history: History) => void };

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
export const recordTurn =
  ({ now }: RecordTurnDeps, { turn, keep }: RecordedRun) =>
  (run: (keep: RecordedRun['keep']) => Observable<Event>): Observable<Event> =>
    defer(() => {
      const { record, config } = turn.thread;
      const environment = placeOf(turn.thread);
      const { keepAndRecord, begin } = historyRecord(turn, keep);
      return run(keepAndRecord).pipe(
        mapInTurn((event) => {
          record.write(...recordEvent({ turnId: turn.turnId, config, environment, nowMs: now() }, event));
          if (!opensThread(event)) begin();
          return endsTurn(event) ? ended(turn, event) : event;
        }),
        record.lost$ === NEVER ? identity : takeUntil(record.lost$),
        catchError((error: Error) =>
          error instanceof ThreadError ? of(...lost(turn, error)) : throwError(() => error),
        ),
      );
    });

const opensThread = (event: Event): boolean => event.kind === 'event' && event.msg.type === 'session_configured';

/** Records each new history, from `begin` on; those that were kept before are recorded at that point. */
const historyRecord = ({ thread: { record, history } }: BegunTurn, keep: RecordedRun['keep']) => {
  let recorded = history;
  let waiting: History[] | undefined = [];
  const write = (next: History) => {
    const { state, output } = recordHistory(recorded, next);
    recorded = state;
    record.write(...output);
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

/** EMPTY has nothing to wait for, and NEVER, as of a thread that stays with its process, emits nothing: neither is subscribed. */
const ended = ({ thread: { record } }: BegunTurn, event: Event): Event | Observable<Event> => {
  const written$ = record.endTurn();
  if (written$ !== EMPTY) {
    return concat(
      written$,
      defer(() => record.rest()),
      of(event),
    );
  }
  const rested$ = record.rest();
  return rested$ === EMPTY ? event : concat(rested$, of(event));
};

const lost = (turn: BegunTurn, { message }: ThreadError): Event[] => endOf(turn, { kind: 'failed', message });

/** A thread that now works on this machine may have begun on another. */
const placeOf = ({ workspace, settings }: BegunTurn['thread']): Workspace['environment'] =>
  workspace.environment ?? (settings.config?.environment_id === undefined ? undefined : { id: 'local' });

/** The history as far as it is recorded. */
type Recorded = { state: History; output: RolloutEntry[] };

/**
 * A reducer: the entries for what is new since the last history, as it comes, so that a crash loses little. A history whose past
 * does not begin with the previous one was compacted, and is recorded as a whole.
 */
export const recordHistory = (state: History, history: History): Recorded => {
  const entries = isContinued(state, history) ? added(state, history) : compacted(history);
  return { state: history, output: entries };
};

/** Compared by identity: a compacted history has a new first item, even if its length and its last item are the same. */
const isContinued = ({ past }: History, next: History): boolean =>
  past.length === 0 || (next.past[0] === past[0] && next.past[past.length - 1] === past.at(-1));

const added = (state: History, history: History): RolloutEntry[] => {
  const isSameAnswer = history.past === state.past;
  const closed = isSameAnswer ? [] : newInPast(state, history);
  const items = isSameAnswer ? history.items.slice(state.items.length) : history.items;
  const outputs = isSameAnswer ? history.outputs.slice(state.outputs.length) : history.outputs;
  return [...closed, ...items, ...outputs.map(({ call, text }) => toOutput(call, text))].flatMap(toEntries);
};

/** The old past is followed by the answer that was closed, whose items and outputs are already recorded, then by what comes after it. */
const newInPast = (state: History, { past }: History): ResponseItem[] => {
  const known = new Set<ResponseItem>(state.items);
  const answered = new Set(state.outputs.map(({ call }) => keyOf(call)));
  const ownOutputs = new Set(state.items.filter(isCall).map(keyOf));
  return past.slice(state.past.length).filter((item) => {
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

/** The facts of a turn that its events do not carry. `environment`: where it runs, if that was chosen; `nowMs`: ms since 1970. */
type RecordedTurn = {
  turnId: string;
  config: Config;
  environment?: Workspace['environment'];
  nowMs: number;
};

/** The entries of an event; none for events that clients do not need in order to show a stored thread. */
export const recordEvent = (turn: RecordedTurn, event: Event): RolloutEntry[] =>
  event.kind === 'event' ? recordMsg(turn, event.msg) : [];

const recordMsg = (turn: RecordedTurn, msg: EventMsg): RolloutEntry[] => {
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
const toContext = ({ turnId, config, environment }: RecordedTurn): TurnContext => ({
  turn_id: turnId,
  cwd: config.cwd,
  approval_policy: config.approvalPolicy,
  sandbox_policy: toPolicy(config),
  model: config.model,
  effort: config.reasoningEffort,
  summary: config.reasoningSummary,
  ...(environment && { codex_rx: { environment } }),
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
