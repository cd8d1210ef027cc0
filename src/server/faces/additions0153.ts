/**
 * What a client of 0.153 is shown besides the events of the engine: items (input, reasoning, messages, patches), times and commands, and the start of the
 * MCP servers. Source: tapes v142-*, codex app-server 0.142.0 and 0.169.0.
 */
import type { EventMsg, McpStartupStatus, TurnItem } from '../../protocol/codex/eventMsg';
import { textOf } from '../../protocol/codex/operations';
import { type AddDeps, type Added, type Starting, type Turn0153, withEntry } from './turn0153';

type Of<T extends EventMsg['type']> = Extract<EventMsg, { type: T }>;

/** What a message is added to; `question` is the question that the event asks. */
type Adding = { deps: AddDeps; turn: Turn0153; question?: number };

type Adders = { [T in EventMsg['type']]?: (to: Adding, msg: Of<T>) => Added };

/** What replaces a message; a message that clients of 0.153 know as it is stays. */
export const addOne = (to: Adding, msg: EventMsg): Added => {
  const add = ADDERS[msg.type] as ((to: Adding, msg: EventMsg) => Added) | undefined;
  return add?.(to, msg) ?? { turn: to.turn, msgs: [msg] };
};

const started = ({ now }: AddDeps, item: TurnItem): EventMsg => ({ type: 'item_started', item, started_at_ms: now() });

const completed = ({ now }: AddDeps, item: TurnItem): EventMsg => ({
  type: 'item_completed',
  item,
  completed_at_ms: now(),
});

/** The input of a turn, as an item and as `user_message`. */
const userMessages = (deps: AddDeps, { input }: Turn0153): EventMsg[] => {
  const message = textOf(input);
  const item: TurnItem = {
    type: 'UserMessage',
    id: deps.newId(),
    content: [{ type: 'text', text: message, text_elements: [] }],
  };
  const images = input.flatMap((one) => (one.type === 'image' ? [one.url] : []));
  const local_images = input.flatMap((one) => (one.type === 'localImage' ? [one.path] : []));
  return [
    started(deps, item),
    completed(deps, item),
    { type: 'user_message', message, images, local_images, text_elements: [] },
  ];
};

const agentMessage = (id: string, text: string): TurnItem => ({
  type: 'AgentMessage',
  id,
  content: [{ type: 'Text', text }],
});

const reasoningItem = (id: string, summary_text: readonly string[]): TurnItem => ({
  type: 'Reasoning',
  id,
  summary_text,
  raw_content: [],
});

/** The turn once the first delta of the model has arrived. */
const withFirstToken = ({ deps, turn }: Adding): Turn0153 =>
  turn.firstTokenMs === undefined ? { ...turn, firstTokenMs: deps.now() } : turn;

type ReasoningDelta = Of<
  'agent_reasoning_delta' | 'agent_reasoning_section_break' | 'agent_reasoning_raw_content_delta'
>;

/** A delta of reasoning, with the part of the summary that it belongs to. */
const addReasoningDelta = (to: Adding, msg: ReasoningDelta): Added => {
  const turn = withFirstToken(to);
  const open = turn.reasoning?.id === msg.item_id ? turn.reasoning : undefined;
  const sections = sectionsAfter(open?.sections ?? [], msg);
  const begun = open ? [] : [started(to.deps, reasoningItem(msg.item_id, []))];
  const isRaw = msg.type === 'agent_reasoning_raw_content_delta';
  const shown = isRaw ? msg : { ...msg, summary_index: Math.max(0, sections.length - 1) };
  return { turn: { ...turn, reasoning: { id: msg.item_id, sections }, partsLeft: 0 }, msgs: [...begun, shown] };
};

const sectionsAfter = (sections: readonly string[], msg: ReasoningDelta): readonly string[] => {
  if (msg.type === 'agent_reasoning_section_break') return [...sections, ''];
  if (msg.type !== 'agent_reasoning_delta') return sections;
  return [...sections.slice(0, -1), `${sections.at(-1) ?? ''}${msg.delta}`];
};

/** The end of a turn, with when it was and how long it took. */
const addEnd = ({ deps, turn }: Adding, msg: Of<'task_complete' | 'turn_aborted'>): Added => {
  const nowMs = deps.now();
  const { startedMs = nowMs, firstTokenMs } = turn;
  const times = { completed_at: Math.floor(nowMs / 1000), duration_ms: Math.max(0, nowMs - startedMs) };
  const hasFirst = msg.type === 'task_complete' && firstTokenMs !== undefined;
  const first = hasFirst ? { time_to_first_token_ms: Math.max(0, firstTokenMs - startedMs) } : {};
  return { turn, msgs: [{ ...msg, ...times, ...first }] };
};

/** The sentence of the native engine about a server that did not start. */
const FAILED = /^MCP client for `(?<server>.+?)` failed to start: (?<error>.*)$/s;

const ADDERS: Adders = {
  /** A new thread. The start of its servers is reported once all are known; at once if there are none. */
  session_configured: ({ turn }, msg) => {
    const servers = msg.mcp_servers ?? [];
    const starting: Starting = { states: new Map(), ...(servers === 'reported' ? { isReported: true } : { servers }) };
    const begun = { ...turn, starting };
    const next = servers.length > 0 ? { turn: begun, msgs: [] } : addStartup(begun);
    return { turn: next.turn, msgs: [msg, ...next.msgs] };
  },
  /** The begin of a turn, and the message of the user. */
  task_started: ({ deps, turn }, msg) => {
    const startedMs = deps.now();
    const begin = { ...msg, started_at: Math.floor(startedMs / 1000), collaboration_mode_kind: 'default' } as const;
    const next = { ...turn, startedMs, contextWindow: msg.model_context_window };
    return { turn: next, msgs: [begin, ...userMessages(deps, turn)] };
  },
  task_complete: addEnd,
  turn_aborted: addEnd,
  token_count: ({ turn }, msg) => ({ turn, msgs: [{ ...msg, model_context_window: turn.contextWindow }] }),
  /** A warning, which may name a server that did not start. */
  warning: ({ turn }, msg) => {
    const { server, error } = FAILED.exec(msg.message)?.groups ?? {};
    const isKnown = server === undefined || error === undefined || turn.starting?.isReported;
    return { turn: isKnown ? turn : withState(turn, server, { state: 'failed', error }), msgs: [msg] };
  },
  /** How far a server is. All of them are reported once the last is ready, or is known not to start. */
  mcp_startup_update: ({ turn }, msg) => {
    const next = withState(turn, msg.server, msg.status);
    const isSettled = next.startedMs !== undefined && !isAnyStarting(next); // before the turn has started, another server may follow
    const after = isSettled ? addStartup(next) : { turn: next, msgs: [] };
    return { turn: after.turn, msgs: [msg, ...after.msgs] };
  },
  /** A delta of a message: the first one starts the item. */
  agent_message_delta: (to, msg) => {
    const turn = withFirstToken(to);
    const isOpen = turn.message?.id === msg.item_id;
    const begun = isOpen ? [] : [started(to.deps, agentMessage(msg.item_id, ''))];
    return { turn: isOpen ? turn : { ...turn, message: { id: msg.item_id, sections: [] } }, msgs: [...begun, msg] };
  },
  /** A whole message completes its item; without deltas before it the item also begins now. */
  agent_message: ({ deps, turn }, msg) => {
    const id = turn.message?.id ?? deps.newId();
    const begun = turn.message === undefined ? [started(deps, agentMessage(id, ''))] : [];
    const msgs = [...begun, completed(deps, agentMessage(id, msg.message)), msg];
    return { turn: { ...turn, message: undefined }, msgs };
  },
  agent_reasoning_delta: addReasoningDelta,
  agent_reasoning_section_break: addReasoningDelta,
  agent_reasoning_raw_content_delta: addReasoningDelta,
  /** A whole part of reasoning; the first one completes the item. */
  agent_reasoning: ({ deps, turn }, msg) => {
    if (turn.partsLeft > 0) return { turn: { ...turn, partsLeft: turn.partsLeft - 1 }, msgs: [msg] };
    const { id, sections } = turn.reasoning ?? { id: deps.newId(), sections: [] };
    const parts = sections.length === 0 ? [msg.text] : sections;
    const begun = turn.reasoning === undefined ? [started(deps, reasoningItem(id, []))] : [];
    const msgs = [...begun, completed(deps, reasoningItem(id, parts)), msg];
    return { turn: { ...turn, reasoning: undefined, partsLeft: parts.length - 1 }, msgs };
  },
  exec_command_begin: ({ deps, turn }, msg) => ({
    turn: { ...turn, commands: withEntry(turn.commands, msg.call_id, msg) },
    msgs: [{ ...msg, started_at_ms: deps.now() }],
  }),
  /** The end of a command, with what it was. */
  exec_command_end: ({ deps, turn }, msg) => {
    const { command = [], cwd = '', parsed_cmd = [] } = turn.commands.get(msg.call_id) ?? {};
    const status = msg.exit_code === 0 ? 'completed' : 'failed';
    const msgs = [{ ...msg, command, cwd, parsed_cmd, status, completed_at_ms: deps.now() } as const];
    return { turn: { ...turn, commands: withEntry(turn.commands, msg.call_id, undefined) }, msgs };
  },
  /** A question about a patch, which begins before it. */
  apply_patch_approval_request: ({ deps, turn, question }, msg) => {
    const { call_id, changes } = msg;
    const patches = withEntry(turn.patches, call_id, { changes, question });
    const begin = { type: 'patch_apply_begin', call_id, auto_approved: false, changes } as const;
    return { turn: { ...turn, patches }, msgs: [...(turn.patches.has(call_id) ? [] : patchBegin(deps, begin)), msg] };
  },
  /** The begin of a patch, unless the client was shown it before the question. */
  patch_apply_begin: ({ deps, turn }, msg) => {
    const { call_id, changes } = msg;
    const patches = withEntry(turn.patches, call_id, { changes });
    return { turn: { ...turn, patches }, msgs: turn.patches.has(call_id) ? [] : patchBegin(deps, msg) };
  },
  patch_apply_end: (to, { call_id, stdout, stderr, success }) =>
    addPatchEnd(to, { call_id, stdout, stderr, status: success ? 'completed' : 'failed' }),
};

const patchBegin = (deps: AddDeps, msg: Of<'patch_apply_begin'>): EventMsg[] => {
  const { call_id: id, changes, auto_approved } = msg;
  return [started(deps, { type: 'FileChange', id, changes, auto_approved }), msg];
};

type PatchEnd = Required<Pick<Of<'patch_apply_end'>, 'call_id' | 'stdout' | 'stderr' | 'status'>>;

/** The end of a patch, with what it was and what became of it. */
const addPatchEnd = ({ deps, turn }: Adding, { call_id, stdout, stderr, status }: PatchEnd): Added => {
  const changes = turn.patches.get(call_id)?.changes ?? {};
  const item: TurnItem = { type: 'FileChange', id: call_id, changes, status, stdout, stderr };
  const success = status === 'completed';
  return {
    turn: { ...turn, patches: withEntry(turn.patches, call_id, undefined) },
    msgs: [completed(deps, item), { type: 'patch_apply_end', call_id, stdout, stderr, success, changes, status }],
  };
};

/** What the original wrote for the model. */
const REJECTED = 'patch rejected by user';

/** The end of a patch whose question was declined; nothing for any other question. */
export const addDeclined = (to: Adding): Added => {
  const { turn, question } = to;
  const entry = [...turn.patches].find(([, patch]) => question !== undefined && patch.question === question);
  if (entry === undefined) return { turn, msgs: [] };
  return addPatchEnd(to, { call_id: entry[0], status: 'declined', stdout: '', stderr: REJECTED });
};

const withState = (turn: Turn0153, server: string, status: McpStartupStatus): Turn0153 =>
  turn.starting === undefined
    ? turn
    : { ...turn, starting: { ...turn.starting, states: withEntry(turn.starting.states, server, status) } };

const isAnyStarting = ({ starting }: Turn0153): boolean =>
  [...(starting?.states.values() ?? [])].some(({ state }) => state === 'starting');

/**
 * Reports the servers before a message of this type, once all are known. An engine that names its servers up front has started them when it asks
 * the model. An engine that reports each server has named all of them when the turn has started; servers that are not ready then are waited
 * for, up to the end of the turn.
 */
export const addStartupBefore = (turn: Turn0153, type: EventMsg['type']): Added => {
  const isDue = turn.starting?.isReported
    ? type === 'task_complete' || type === 'turn_aborted' || (type === 'task_started' && !isAnyStarting(turn))
    : !BEFORE_STARTUP.includes(type);
  return isDue ? addStartup(turn) : { turn, msgs: [] };
};

const BEFORE_STARTUP: readonly EventMsg['type'][] = ['session_configured', 'task_started', 'warning'];

/** Which servers have started and which have not, once. */
const addStartup = (turn: Turn0153): Added => {
  if (turn.starting === undefined) return { turn, msgs: [] };
  const { servers = [], states } = turn.starting;
  const inState = (name: McpStartupStatus['state']) =>
    [...states].flatMap(([one, { state }]) => (state === name ? one : []));
  const failed = [...states].flatMap(([server, one]) => (one.state === 'failed' ? { server, error: one.error } : []));
  const ready = [...servers.filter((name) => !states.has(name)), ...inState('ready')];
  return {
    turn: { ...turn, starting: undefined },
    msgs: [{ type: 'mcp_startup_complete', ready, failed, cancelled: inState('cancelled') }],
  };
};
