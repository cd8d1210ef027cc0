/**
 * What a client of 0.153 is shown besides the events of the engine: items (input, reasoning, messages), times and commands, and the start of the
 * MCP servers. Source: tapes v142-*, codex app-server 0.142.0 and 0.169.0.
 */
import type { EventMsg, McpStartupStatus, TurnItem } from '../../protocol/codex/eventMsg';
import { textOf } from '../../protocol/codex/input';
import { type AddDeps, type Added, type OpenItem, type Starting, type Turn0153, withEntry } from './turn0153';

type Of<T extends EventMsg['type']> = Extract<EventMsg, { type: T }>;

const started = (deps: AddDeps, item: TurnItem): EventMsg => ({
  type: 'item_started',
  item,
  started_at_ms: deps.now(),
});
const completed = (deps: AddDeps, item: TurnItem): EventMsg => ({
  type: 'item_completed',
  item,
  completed_at_ms: deps.now(),
});

/** The input of a turn, as an item and as `user_message`. */
export const addUserMessage = (deps: AddDeps, { input }: Turn0153): EventMsg[] => {
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

/** A delta of a message: the first one starts the item. */
export const addTextDelta = (deps: AddDeps, turn: Turn0153, msg: Of<'agent_message_delta'>): Added => {
  if (turn.message?.id === msg.item_id) return { turn, msgs: [msg] };
  const message = { id: msg.item_id, sections: [] };
  return { turn: { ...turn, message }, msgs: [started(deps, agentMessage(msg.item_id, '')), msg] };
};

/** A whole message completes its item; without deltas before it the item also begins now. */
export const addMessage = (deps: AddDeps, turn: Turn0153, msg: Of<'agent_message'>): Added => {
  const id = turn.message?.id ?? deps.newId();
  const begun = turn.message === undefined ? [started(deps, agentMessage(id, ''))] : [];
  return {
    turn: { ...turn, message: undefined },
    msgs: [...begun, completed(deps, agentMessage(id, msg.message)), msg],
  };
};

type ReasoningDelta = Of<
  'agent_reasoning_delta' | 'agent_reasoning_section_break' | 'agent_reasoning_raw_content_delta'
>;

/** A delta of reasoning, with the part of the summary that it belongs to. */
export const addReasoningDelta = (deps: AddDeps, turn: Turn0153, msg: ReasoningDelta): Added => {
  const isOpen = turn.reasoning?.id === msg.item_id;
  const open: OpenItem = isOpen && turn.reasoning ? turn.reasoning : { id: msg.item_id, sections: [] };
  const sections = sectionsAfter(open.sections, msg);
  const begun = isOpen ? [] : [started(deps, reasoningItem(msg.item_id, []))];
  const shown =
    msg.type === 'agent_reasoning_raw_content_delta'
      ? msg
      : { ...msg, summary_index: Math.max(0, sections.length - 1) };
  return { turn: { ...turn, reasoning: { ...open, sections }, partsLeft: 0 }, msgs: [...begun, shown] };
};

const sectionsAfter = (sections: readonly string[], msg: ReasoningDelta): readonly string[] => {
  switch (msg.type) {
    case 'agent_reasoning_section_break':
      return [...sections, ''];
    case 'agent_reasoning_delta':
      return [...sections.slice(0, -1), `${sections.at(-1) ?? ''}${msg.delta}`];
    default:
      return sections;
  }
};

/** A whole part of reasoning; the first one completes the item. */
export const addReasoning = (deps: AddDeps, turn: Turn0153, msg: Of<'agent_reasoning'>): Added => {
  if (turn.partsLeft > 0) return { turn: { ...turn, partsLeft: turn.partsLeft - 1 }, msgs: [msg] };
  const { id, sections } = turn.reasoning ?? { id: deps.newId(), sections: [] };
  const parts = sections.length === 0 ? [msg.text] : sections;
  const begun = turn.reasoning === undefined ? [started(deps, reasoningItem(id, []))] : [];
  return {
    turn: { ...turn, reasoning: undefined, partsLeft: parts.length - 1 },
    msgs: [...begun, completed(deps, reasoningItem(id, parts)), msg],
  };
};

/** The begin of a turn, and the message of the user. */
export const addStart = (deps: AddDeps, turn: Turn0153, msg: Of<'task_started'>): Added => {
  const startedMs = deps.now();
  const started_at = Math.floor(startedMs / 1000);
  return {
    turn: { ...turn, startedMs, contextWindow: msg.model_context_window },
    msgs: [{ ...msg, started_at, collaboration_mode_kind: 'default' }, ...addUserMessage(deps, turn)],
  };
};

/** The end of a turn, with when it was and how long it took. */
export const addEnd = (deps: AddDeps, turn: Turn0153, msg: Of<'task_complete' | 'turn_aborted'>): Added => {
  const nowMs = deps.now();
  const startedMs = turn.startedMs ?? nowMs;
  const times = { completed_at: Math.floor(nowMs / 1000), duration_ms: Math.max(0, nowMs - startedMs) };
  const first =
    msg.type === 'task_complete' && turn.firstTokenMs !== undefined
      ? { time_to_first_token_ms: Math.max(0, turn.firstTokenMs - startedMs) }
      : {};
  return { turn, msgs: [{ ...msg, ...times, ...first }] };
};

/** The turn once the first delta of the model has arrived. */
export const withFirstToken = (deps: AddDeps, turn: Turn0153): Turn0153 =>
  turn.firstTokenMs === undefined ? { ...turn, firstTokenMs: deps.now() } : turn;

/** The begin of a command. */
export const addCommandBegin = (deps: AddDeps, turn: Turn0153, msg: Of<'exec_command_begin'>): Added => ({
  turn: { ...turn, commands: withEntry(turn.commands, msg.call_id, msg) },
  msgs: [{ ...msg, started_at_ms: deps.now() }],
});

/** The end of a command, with what it was. */
export const addCommandEnd = (deps: AddDeps, turn: Turn0153, msg: Of<'exec_command_end'>): Added => {
  const { command = [], cwd = '', parsed_cmd = [] } = turn.commands.get(msg.call_id) ?? {};
  const status = msg.exit_code === 0 ? 'completed' : 'failed';
  return {
    turn: { ...turn, commands: withEntry(turn.commands, msg.call_id, undefined) },
    msgs: [{ ...msg, command, cwd, parsed_cmd, status, completed_at_ms: deps.now() }],
  };
};

/** A new thread. The start of its servers is reported once all are known; at once if there are none. */
export const addThread = (turn: Turn0153, msg: Of<'session_configured'>): Added => {
  const servers = msg.mcp_servers ?? [];
  const starting: Starting = { states: new Map(), ...(servers === 'reported' ? { isReported: true } : { servers }) };
  const begun = { ...turn, starting };
  if (servers.length > 0) return { turn: begun, msgs: [msg] };
  const { turn: next, msgs } = addStartup(begun);
  return { turn: next, msgs: [msg, ...msgs] };
};

/** The sentence of the native engine about a server that did not start. */
const FAILED = /^MCP client for `(?<server>.+?)` failed to start: (?<error>.*)$/s;

/** A warning, which may name a server that did not start. */
export const addWarning = (turn: Turn0153, msg: Of<'warning'>): Added => {
  const { server, error } = FAILED.exec(msg.message)?.groups ?? {};
  if (server === undefined || error === undefined || turn.starting?.isReported) return { turn, msgs: [msg] };
  return { turn: withState(turn, server, { state: 'failed', error }), msgs: [msg] };
};

/** How far a server is. All of them are reported once the last is ready, or is known not to start. */
export const addUpdate = (turn: Turn0153, msg: Of<'mcp_startup_update'>): Added => {
  const next = withState(turn, msg.server, msg.status);
  const { msgs, turn: after } = isSettled(next) ? addStartup(next) : { msgs: [], turn: next };
  return { turn: after, msgs: [msg, ...msgs] };
};

const withState = (turn: Turn0153, server: string, status: McpStartupStatus): Turn0153 =>
  turn.starting === undefined
    ? turn
    : { ...turn, starting: { ...turn.starting, states: withEntry(turn.starting.states, server, status) } };

/** Before the turn has started a server may follow that is not known yet. */
const isSettled = (turn: Turn0153): boolean => turn.startedMs !== undefined && !isAnyStarting(turn);

const isAnyStarting = ({ starting }: Turn0153): boolean =>
  [...(starting?.states.values() ?? [])].some(({ state }) => state === 'starting');

/**
 * Reports the servers before a message of this type, once all are known. An engine that names its servers up front has started them when it asks
 * the model. An engine that reports each server has named all of them when the turn has started; servers that are not ready then are waited
 * for, up to the end of the turn.
 */
export const addStartupBefore = (turn: Turn0153, type: EventMsg['type']): Added => {
  const isDue = turn.starting?.isReported
    ? ENDS.includes(type) || (type === 'task_started' && !isAnyStarting(turn))
    : !BEFORE_STARTUP.includes(type);
  return isDue ? addStartup(turn) : { turn, msgs: [] };
};

const BEFORE_STARTUP: readonly EventMsg['type'][] = ['session_configured', 'task_started', 'warning'];
const ENDS: readonly EventMsg['type'][] = ['task_complete', 'turn_aborted'];

/** Which servers have started and which have not, once. */
export const addStartup = (turn: Turn0153): Added => {
  if (turn.starting === undefined) return { turn, msgs: [] };
  const { servers = [], states } = turn.starting;
  const entries = [...states];
  const inState = (name: McpStartupStatus['state']) =>
    entries.flatMap(([one, { state }]) => (state === name ? one : []));
  const failed = entries.flatMap(([server, one]) => (one.state === 'failed' ? { server, error: one.error } : []));
  const ready = [...servers.filter((name) => !states.has(name)), ...inState('ready')];
  return {
    turn: { ...turn, starting: undefined },
    msgs: [{ type: 'mcp_startup_complete', ready, failed, cancelled: inState('cancelled') }],
  };
};
