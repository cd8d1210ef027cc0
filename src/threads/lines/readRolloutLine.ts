/** Reads the lines of a rollout, the file in which Codex keeps a thread, as any release writes them. */
import { isObject, type JsonObject, parseObject } from '../../protocol/jsonrpc/json';
import { isContext, textsOf } from './prompts';

/** What a line holds: a message of the user, an event in the shape of `codex/event`, or the settings of a turn. */
export type RolloutItem =
  | { kind: 'prompt'; text: string }
  | { kind: 'event'; msg: JsonObject }
  | { kind: 'turnContext'; context: JsonObject };

/** Events that newer rollouts keep, and that clients know. */
const EVENTS = new Set(
  (
    'task_started task_complete turn_aborted agent_message agent_reasoning agent_reasoning_raw_content token_count error ' +
    'exec_command_begin exec_command_end patch_apply_begin patch_apply_end mcp_tool_call_begin mcp_tool_call_end ' +
    'web_search_begin web_search_end plan_update context_compacted'
  ).split(' '),
);

/**
 * The items of a line; none for a line of state, undefined for a line of an unknown kind.
 * Source: codex 0.28.0 (bare items, `record_type`), 0.142.0 and 0.169.0 (`type` and `payload`).
 */
export const readRolloutLine = ({
  type,
  payload,
  record_type: record,
  ...item
}: JsonObject): RolloutItem[] | undefined => {
  if (record !== undefined) return [];
  if (isObject(payload)) return readPayload(type, payload);
  return typeof type === 'string' ? readItem({ type, ...item }, 'alone') : undefined;
};

const readPayload = (type: unknown, payload: JsonObject): RolloutItem[] | undefined => {
  switch (type) {
    case 'event_msg':
      if (payload.type === 'user_message') return [{ kind: 'prompt', text: String(payload.message ?? '') }];
      if (payload.type === 'item_completed') return isObject(payload.item) ? readCompleted(payload.item) : [];
      return EVENTS.has(String(payload.type)) ? [toEvent(payload)] : [];
    case 'response_item':
      return readItem(payload, 'among events');
    case 'turn_context':
      return [{ kind: 'turnContext', context: payload }];
    case 'session_meta':
    case 'compacted':
    case 'world_state':
    case 'token_usage_record':
      return [];
    default:
      return undefined;
  }
};

/** Source: codex 0.169.0, which keeps messages and reasoning as items. */
const readCompleted = ({ type, content, summary_text }: JsonObject): RolloutItem[] => {
  switch (type) {
    case 'UserMessage':
      return [{ kind: 'prompt', text: textsOf(content).join('') }];
    case 'AgentMessage':
      return [toEvent({ type: 'agent_message', message: textsOf(content).join('') })];
    case 'Reasoning':
      return Array.isArray(summary_text)
        ? summary_text.map((text) => toEvent({ type: 'agent_reasoning', text: String(text) }))
        : [];
    default:
      return [];
  }
};

const toEvent = (msg: JsonObject): RolloutItem => ({ kind: 'event', msg });

/** A rollout with events has messages and reasoning among them too. */
const readItem = (item: JsonObject, place: 'alone' | 'among events'): RolloutItem[] | undefined => {
  switch (item.type) {
    case 'function_call':
    case 'local_shell_call':
    case 'custom_tool_call':
      return [toEvent(beginCall(item))];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [toEvent(endCall(item))];
    case 'message':
      return place === 'alone' ? readMessage(item) : [];
    case 'reasoning':
      return place === 'alone' ? textsOf(item.summary).map((text) => toEvent({ type: 'agent_reasoning', text })) : [];
    default:
      return place === 'alone' ? undefined : [];
  }
};

const readMessage = ({ role, content }: JsonObject): RolloutItem[] => {
  const text = textsOf(content).join('');
  if (role === 'assistant') return [toEvent({ type: 'agent_message', message: text })];
  return role === 'user' && !isContext(text) ? [{ kind: 'prompt', text }] : [];
};

/** The beginning of a call: a command if the tool runs one, otherwise the call of a tool. */
export const beginCall = (item: JsonObject): JsonObject => {
  const call_id = String(item.call_id ?? item.id ?? '');
  const { command, cmd, workdir } = parseObject(String(item.arguments)) ?? {};
  const given = command ?? cmd ?? (isObject(item.action) ? item.action.command : undefined);
  const argv = Array.isArray(given) ? given : typeof given === 'string' ? ['bash', '-lc', given] : undefined;
  if (argv) return { type: 'exec_command_begin', call_id, command: argv, cwd: workdir ?? '', parsed_cmd: [] };
  const invocation = { server: 'codex', tool: item.name ?? '', arguments: item.arguments ?? item.input ?? null };
  return { type: 'mcp_tool_call_begin', call_id, invocation };
};

/** The end of a call, with the exit code that its output names. */
export const endCall = ({ call_id, output }: JsonObject): JsonObject => {
  const text = typeof output === 'string' ? output : JSON.stringify(output ?? '');
  const { output: inner, metadata } = parseObject(String(text)) ?? {};
  const stdout = typeof inner === 'string' ? inner : text;
  const code = isObject(metadata)
    ? metadata.exit_code
    : /^(?:Exit code|Process exited with code):? (-?\d+)/m.exec(text)?.[1];
  return {
    type: 'exec_command_end',
    call_id: String(call_id ?? ''),
    stdout,
    stderr: '',
    aggregated_output: stdout,
    exit_code: Number(code ?? 0),
    duration: { secs: 0, nanos: 0 },
    formatted_output: stdout,
  };
};

/** The objects in the lines of a text; a line without a whole object, for example after a crash, is left out. */
export const parseLines = (text: string): JsonObject[] => text.split('\n').flatMap(parseLine);

/** The object of one line; none if it holds no whole object. */
export const parseLine = (line: string): JsonObject[] => {
  if (!line.startsWith('{')) return [];
  const value = parseObject(line);
  return value === undefined ? [] : [value];
};
