/** The events of Codex 0.153 that no engine emits: items, the message of the user, times. */
import type { EventMsg, FileChanges, PatchStatus, TurnItem } from '../../protocol/codex/eventMsg';
import { type Event, isLast } from '../../protocol/codex/events';
import type { Op } from '../../protocol/codex/operations';
import { type Adapted, adaptEngine, type EventAdapter } from './adaptEngine';
import {
  addCommandBegin,
  addCommandEnd,
  addEnd,
  addMessage,
  addReasoning,
  addReasoningDelta,
  addStart,
  addStartupBefore,
  addTextDelta,
  addThread,
  addUpdate,
  addWarning,
  withFirstToken,
} from './additions0153';
import { type AddDeps, type Added, newTurn0153, type Turn0153, withEntry } from './turn0153';

type Turns = ReadonlyMap<string, Turn0153>;

/** The engine with the events of 0.153. */
export const adaptTo0153 = (deps: AddDeps) => adaptEngine(events0153(deps));

/** Adds to each turn what clients of 0.153 read. */
export const events0153 = (deps: AddDeps): EventAdapter<Turns> => ({
  initial: new Map(),
  receiveOp,
  receiveEvent: (state, event) => {
    const { turn, output } = receive(deps, state.get(event.callId) ?? newTurn0153(), event);
    return { state: withEntry(state, event.callId, isLast(event) ? undefined : turn), output };
  },
});

const receiveOp = (state: Turns, op: Op): Turns =>
  op.kind === 'turn' || op.kind === 'input' ? withEntry(state, op.callId, newTurn0153(op.input)) : state;

type Received = { turn: Turn0153; output: Adapted<Turns>['output'] };

const receive = (deps: AddDeps, turn: Turn0153, event: Event): Received => {
  switch (event.kind) {
    case 'event':
    case 'deltas': {
      const { threadId, id } = event;
      const msgs = event.kind === 'event' ? [event.msg] : event.msgs;
      const question = event.kind === 'event' ? event.question : undefined;
      const first: Added = { turn: { ...turn, place: { threadId, id } }, msgs: [] };
      const added = msgs.reduce((before, msg) => joinAdded(before, addTo(deps, before.turn, { msg, question })), first);
      return { turn: added.turn, output: placeMsgs(event, added.msgs) };
    }
    case 'declined': {
      const added = addDeclined(deps, turn, event.question);
      const place = turn.place === undefined ? [] : placeMsgs({ ...turn.place, callId: event.callId }, added.msgs);
      return { turn: added.turn, output: [...place, event] };
    }
    default:
      return { turn, output: [event] };
  }
};

const joinAdded = (before: Added, { turn, msgs }: Added): Added => ({ turn, msgs: [...before.msgs, ...msgs] });

type Asked = { msg: EventMsg; question?: number };

/** What replaces a message. The first one after the begin of the turn shows that the servers of the thread were started. */
const addTo = (deps: AddDeps, turn: Turn0153, asked: Asked): Added => {
  const startup = addStartupBefore(turn, asked.msg.type);
  return joinAdded(startup, addOne(deps, startup.turn, asked));
};

const addOne = (deps: AddDeps, turn: Turn0153, { msg, question }: Asked): Added => {
  switch (msg.type) {
    case 'session_configured':
      return addThread(turn, msg);
    case 'task_started':
      return addStart(deps, turn, msg);
    case 'warning':
      return addWarning(turn, msg);
    case 'mcp_startup_update':
      return addUpdate(turn, msg);
    case 'task_complete':
    case 'turn_aborted':
      return addEnd(deps, turn, msg);
    case 'token_count':
      return { turn, msgs: [{ ...msg, model_context_window: turn.contextWindow }] };
    case 'exec_command_begin':
      return addCommandBegin(deps, turn, msg);
    case 'exec_command_end':
      return addCommandEnd(deps, turn, msg);
    case 'apply_patch_approval_request':
      return addPatchQuestion(deps, turn, { msg, question });
    case 'patch_apply_begin':
      return addPatchBegin(deps, turn, msg);
    case 'patch_apply_end':
      return addPatchEnd(deps, turn, msg);
    default:
      return addText(deps, turn, msg);
  }
};

const addText = (deps: AddDeps, turn: Turn0153, msg: EventMsg): Added => {
  switch (msg.type) {
    case 'agent_message_delta':
      return addTextDelta(deps, withFirstToken(deps, turn), msg);
    case 'agent_message':
      return addMessage(deps, turn, msg);
    case 'agent_reasoning_delta':
    case 'agent_reasoning_section_break':
    case 'agent_reasoning_raw_content_delta':
      return addReasoningDelta(deps, withFirstToken(deps, turn), msg);
    case 'agent_reasoning':
      return addReasoning(deps, turn, msg);
    default:
      return { turn, msgs: [msg] };
  }
};

/** The call, the thread and the id of the event that the messages replace, and the question that it asks. */
type Origin = { callId: string; threadId: string; id: string; question?: number };

type Group = { isDelta: boolean; msgs: readonly EventMsg[] };

/** Deltas that follow each other stay together. The question goes with the request for an approval; servers have no turn. */
export const placeMsgs = (origin: Origin, msgs: readonly EventMsg[]): Event[] =>
  msgs.reduce(grouped, []).flatMap(({ isDelta, msgs: some }): Event[] => {
    const { callId, threadId, id } = origin;
    const about = { callId, threadId, id, turnId: id };
    return isDelta && some.length > 1
      ? [{ kind: 'deltas', ...about, msgs: some }]
      : some.map((msg) => ({
          kind: 'event',
          ...about,
          ...(isOfThread(msg) && { id: '' }),
          msg,
          ...askedBy(origin, msg),
        }));
  });

const grouped = (groups: readonly Group[], msg: EventMsg): Group[] => {
  const isDelta = msg.type.endsWith('_delta');
  const last = groups.at(-1);
  return isDelta && last?.isDelta
    ? [...groups.slice(0, -1), { isDelta, msgs: [...last.msgs, msg] }]
    : [...groups, { isDelta, msgs: [msg] }];
};

const isOfThread = ({ type }: EventMsg): boolean => type === 'mcp_startup_complete' || type === 'mcp_startup_update';

const askedBy = ({ question }: Origin, { type }: EventMsg): { question?: number } =>
  question !== undefined && ASKING.includes(type) ? { question } : {};

const ASKING: readonly EventMsg['type'][] = [
  'exec_approval_request',
  'apply_patch_approval_request',
  'elicitation_request',
];

type Of<T extends EventMsg['type']> = Extract<EventMsg, { type: T }>;

/** What the original wrote for the model. */
const REJECTED = 'patch rejected by user';

const begin = (deps: AddDeps, msg: Of<'patch_apply_begin'>): EventMsg[] => {
  const { call_id: id, changes, auto_approved } = msg;
  const item: TurnItem = { type: 'FileChange', id, changes, auto_approved };
  return [{ type: 'item_started', item, started_at_ms: deps.now() }, msg];
};

type End = { call_id: string; changes: FileChanges; status: PatchStatus; stdout: string; stderr: string };

const end = (deps: AddDeps, { call_id, changes, status, stdout, stderr }: End): EventMsg[] => {
  const item: TurnItem = { type: 'FileChange', id: call_id, changes, status, stdout, stderr };
  const success = status === 'completed';
  return [
    { type: 'item_completed', item, completed_at_ms: deps.now() },
    { type: 'patch_apply_end', call_id, stdout, stderr, success, changes, status },
  ];
};

/** A question about a patch, which begins before it. */
export const addPatchQuestion = (
  deps: AddDeps,
  turn: Turn0153,
  { msg, question }: { msg: Of<'apply_patch_approval_request'>; question?: number },
): Added => {
  const { call_id, changes } = msg;
  const patches = withEntry(turn.patches, call_id, { changes, question });
  const begun = turn.patches.has(call_id)
    ? []
    : begin(deps, { type: 'patch_apply_begin', call_id, auto_approved: false, changes });
  return { turn: { ...turn, patches }, msgs: [...begun, msg] };
};

/** The begin of a patch, unless the client was shown it before the question. */
export const addPatchBegin = (deps: AddDeps, turn: Turn0153, msg: Of<'patch_apply_begin'>): Added => {
  const { call_id, changes } = msg;
  const patches = withEntry(turn.patches, call_id, { changes });
  return { turn: { ...turn, patches }, msgs: turn.patches.has(call_id) ? [] : begin(deps, msg) };
};

/** The end of a patch, with what it was and what became of it. */
export const addPatchEnd = (deps: AddDeps, turn: Turn0153, msg: Of<'patch_apply_end'>): Added => {
  const { call_id, stdout, stderr, success } = msg;
  const changes = turn.patches.get(call_id)?.changes ?? {};
  const status = success ? 'completed' : 'failed';
  return {
    turn: { ...turn, patches: withEntry(turn.patches, call_id, undefined) },
    msgs: end(deps, { call_id, changes, status, stdout, stderr }),
  };
};

/** The end of a patch whose question was declined; nothing for any other question. */
export const addDeclined = (deps: AddDeps, turn: Turn0153, question: number | undefined): Added => {
  const entry = [...turn.patches].find(([, patch]) => question !== undefined && patch.question === question);
  if (entry === undefined) return { turn, msgs: [] };
  const [call_id, { changes }] = entry;
  return {
    turn: { ...turn, patches: withEntry(turn.patches, call_id, undefined) },
    msgs: end(deps, { call_id, changes, status: 'declined', stdout: '', stderr: REJECTED }),
  };
};
