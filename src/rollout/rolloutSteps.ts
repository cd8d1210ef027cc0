/** Owns what one line of a rollout says, of any release. */
import { isObject, type JsonObject } from '../protocol/jsonrpc';

/** The user said something, or the agent told an event in the words of `codex/event`. */
export type Step = { user: string } | { msg: JsonObject };

/** Events that newer rollouts keep, and that clients know. */
const EVENTS = new Set([
  'task_started',
  'task_complete',
  'turn_aborted',
  'agent_message',
  'agent_reasoning',
  'agent_reasoning_raw_content',
  'token_count',
  'error',
  'exec_command_begin',
  'exec_command_end',
  'patch_apply_begin',
  'patch_apply_end',
  'mcp_tool_call_begin',
  'mcp_tool_call_end',
  'web_search_begin',
  'web_search_end',
  'plan_update',
  'context_compacted',
]);

/** The steps of a line; none for one that only keeps books, undefined for one that is not known. */
export const rolloutSteps = ({ type, payload, record_type: record, ...item }: JsonObject): Step[] | undefined => {
  if (record !== undefined) return [];
  if (isObject(payload)) return ofPayload(type, payload);
  return typeof type === 'string' ? ofItem({ type, ...item }, 'alone') : undefined;
};

const ofPayload = (type: unknown, payload: JsonObject): Step[] | undefined => {
  switch (type) {
    case 'event_msg':
      if (payload.type === 'user_message') return [{ user: String(payload.message ?? '') }];
      return EVENTS.has(String(payload.type)) ? [{ msg: payload }] : [];
    case 'response_item':
      return ofItem(payload, 'beside events');
    case 'turn_context':
    case 'session_meta':
    case 'compacted':
      return [];
    default:
      return undefined;
  }
};

/** Messages and reasoning stand in events as well, where there are events. */
const ofItem = (item: JsonObject, place: 'alone' | 'beside events'): Step[] | undefined => {
  switch (item.type) {
    case 'function_call':
    case 'local_shell_call':
    case 'custom_tool_call':
      return [{ msg: begin(item) }];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ msg: end(item) }];
    case 'message':
      return place === 'alone' ? ofMessage(item) : [];
    case 'reasoning':
      return place === 'alone' ? textsOf(item.summary).map((text) => ({ msg: { type: 'agent_reasoning', text } })) : [];
    default:
      return place === 'alone' ? undefined : [];
  }
};

/** What Codex itself puts into the user's mouth. */
const isContext = (text: string): boolean => /^<(environment_context|user_instructions)>/.test(text.trimStart());

const ofMessage = ({ role, content }: JsonObject): Step[] => {
  const text = textsOf(content).join('');
  if (role === 'assistant') return [{ msg: { type: 'agent_message', message: text } }];
  return role === 'user' && !isContext(text) ? [{ user: text }] : [];
};

const textsOf = (parts: unknown): string[] =>
  Array.isArray(parts)
    ? parts.flatMap((part) => (isObject(part) && typeof part.text === 'string' ? [part.text] : []))
    : [];

const argumentsOf = (text: unknown): JsonObject => {
  try {
    const value: unknown = JSON.parse(String(text));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
};

/** A call of a tool, as the command it runs where it is one. */
const begin = (item: JsonObject): JsonObject => {
  const call_id = String(item.call_id ?? item.id ?? '');
  const { command, cmd, workdir } = argumentsOf(item.arguments);
  const given = command ?? cmd ?? (isObject(item.action) ? item.action.command : undefined);
  const words = Array.isArray(given) ? given : typeof given === 'string' ? ['bash', '-lc', given] : undefined;
  if (words) return { type: 'exec_command_begin', call_id, command: words, cwd: workdir ?? '', parsed_cmd: [] };
  const invocation = { server: 'codex', tool: item.name ?? '', arguments: item.arguments ?? item.input ?? null };
  return { type: 'mcp_tool_call_begin', call_id, invocation };
};

const end = ({ call_id, output }: JsonObject): JsonObject => {
  const text = typeof output === 'string' ? output : JSON.stringify(output ?? '');
  const { output: inner, metadata } = argumentsOf(text);
  const said = typeof inner === 'string' ? inner : text;
  const code = isObject(metadata)
    ? metadata.exit_code
    : /^(?:Exit code|Process exited with code):? (-?\d+)/m.exec(text)?.[1];
  return {
    type: 'exec_command_end',
    call_id: String(call_id ?? ''),
    stdout: said,
    stderr: '',
    aggregated_output: said,
    exit_code: Number(code ?? 0),
    duration: { secs: 0, nanos: 0 },
    formatted_output: said,
  };
};
