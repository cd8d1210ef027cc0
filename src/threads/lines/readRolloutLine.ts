/** Reads the lines of a rollout, the file in which Codex keeps a thread, as any release writes them. */
import { isObject, type JsonObject, parseObject, wordOf } from '../../protocol/jsonrpc/json';
import { isContext, textsOf } from './prompts';

/** What a line holds: a message of the user, an event in the shape of `codex/event`, a call of the model or its output, or the settings of a turn. */
export type RolloutItem =
  | { kind: 'prompt'; text: string }
  | { kind: 'event'; msg: JsonObject }
  | { kind: 'call'; item: JsonObject }
  | { kind: 'output'; item: JsonObject }
  | { kind: 'turnContext'; context: JsonObject };

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
      if (payload.type === 'user_message') return [{ kind: 'prompt', text: wordOf(payload.message ?? '') }];
      if (payload.type === 'item_completed' && isObject(payload.item)) return readCompleted(payload.item, payload);
      return [toEvent(payload)];
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

/** An item of another kind stays the event that it is in. Source: codex 0.150.0 to 0.169.0, which keep messages, reasoning and calls as items. */
const readCompleted = ({ type, id, content, summary_text, ...item }: JsonObject, event: JsonObject): RolloutItem[] => {
  switch (type) {
    case 'UserMessage':
      return [{ kind: 'prompt', text: textsOf(content).join('') }];
    case 'AgentMessage':
      return [toEvent({ type: 'agent_message', message: textsOf(content).join('') })];
    case 'Reasoning':
      return Array.isArray(summary_text)
        ? summary_text.map((text) => toEvent({ type: 'agent_reasoning', text: wordOf(text) }))
        : [];
    case 'FileChange': {
      const success = item.status === 'completed' || item.status === undefined;
      const { changes = {}, stdout = '', stderr = '' } = item;
      return [toEvent({ type: 'patch_apply_end', call_id: id, stdout, stderr, success, changes })];
    }
    case 'CommandExecution':
      return [toEvent({ ...commandEnd(item), call_id: id })];
    case 'McpToolCall':
      return [toEvent({ ...toolCallEnd(item), call_id: id })];
    case 'WebSearch':
      return [toEvent({ type: 'web_search_end', call_id: id, query: item.query ?? '' })];
    case 'ContextCompaction':
      return [toEvent({ type: 'context_compacted' })];
    default:
      return [toEvent(event)];
  }
};

const commandEnd = ({ cwd, exit_code = null, ...item }: JsonObject): JsonObject => ({
  ...item,
  type: 'exec_command_end',
  cwd: pathOf(cwd),
  exit_code: exit_code ?? -1,
});

const toolCallEnd = ({ server, tool, arguments: given = null, error, result, duration = NO_TIME }: JsonObject) => ({
  type: 'mcp_tool_call_end',
  invocation: { server, tool, arguments: given },
  duration,
  result: isObject(error) ? { Err: wordOf(error.message ?? '') } : { Ok: result ?? { content: [] } },
});

const NO_TIME = { secs: 0, nanos: 0 };

/** Newer releases write a folder as an address. */
const pathOf = (folder: unknown): string => {
  const text = wordOf(folder ?? '');
  return text.startsWith('file:///') && URL.canParse(text) ? decodeURI(new URL(text).pathname) : text;
};

const toEvent = (msg: JsonObject): RolloutItem => ({ kind: 'event', msg });

/** A rollout with events has messages and reasoning among them too. */
const readItem = (item: JsonObject, place: 'alone' | 'among events'): RolloutItem[] | undefined => {
  switch (item.type) {
    case 'function_call':
    case 'local_shell_call':
    case 'custom_tool_call':
    case 'web_search_call':
      return [{ kind: 'call', item }];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ kind: 'output', item }];
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

/** The objects in the lines of a text; a line without a whole object, for example after a crash, is left out. */
export const parseLines = (text: string): JsonObject[] => text.split('\n').flatMap(parseLine);

/** The object of one line; none if it holds no whole object. */
export const parseLine = (line: string): JsonObject[] => {
  if (!line.startsWith('{')) return [];
  const value = parseObject(line);
  return value === undefined ? [] : [value];
};
