/** Reads a recorded `codex/event`, in the shape of any release, as an event of an engine. */
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';

/** The names of deltas in later releases, and those of 0.28.0. Source: codex 0.142.0 to 0.153.4. */
const OLD_NAMES: Record<string, string> = {
  agent_message_content_delta: 'agent_message_delta',
  reasoning_content_delta: 'agent_reasoning_delta',
  reasoning_raw_content_delta: 'agent_reasoning_raw_content_delta',
};

const KNOWN = new Set<string>([
  'session_configured',
  'task_started',
  'task_complete',
  'turn_aborted',
  'error',
  'stream_error',
  'background_event',
  'warning',
  'token_count',
  'agent_message_delta',
  'agent_message',
  'agent_reasoning_delta',
  'agent_reasoning_section_break',
  'agent_reasoning',
  'agent_reasoning_raw_content_delta',
  'agent_reasoning_raw_content',
  'exec_approval_request',
  'exec_command_begin',
  'exec_command_output_delta',
  'exec_command_end',
  'apply_patch_approval_request',
  'patch_apply_begin',
  'patch_apply_end',
  'turn_diff',
  'elicitation_request',
  'mcp_tool_call_begin',
  'mcp_tool_call_end',
  'web_search_begin',
  'web_search_end',
  'context_compacted',
  'plan_update',
]);

/** The event; undefined for one that the server does not relay to clients. Members that the protocol adds to it are left out. */
export const fromWireMsg = ({
  type: name,
  turn_id: _turn,
  thread_id: _thread,
  ...rest
}: JsonObject): EventMsg | undefined => {
  const type = OLD_NAMES[String(name)] ?? String(name);
  if (!KNOWN.has(type)) return undefined;
  return { type, ...normalized(type, rest) } as unknown as EventMsg;
};

const normalized = (type: string, rest: JsonObject): JsonObject => {
  switch (type) {
    case 'exec_command_output_delta':
      return { ...rest, chunk: toBytes(rest.chunk) };
    case 'token_count':
      return usageOf(rest);
    case 'apply_patch_approval_request':
    case 'patch_apply_begin':
      return { ...rest, changes: untagged(rest.changes) };
    case 'exec_approval_request':
    case 'exec_command_begin':
      return { ...rest, command: Array.isArray(rest.command) ? rest.command : [], cwd: rest.cwd ?? '' };
    default:
      return type.endsWith('_delta') || type.endsWith('_break') ? { item_id: '', ...rest } : rest;
  }
};

/** Old releases wrote numbers, later ones base64. */
const toBytes = (chunk: unknown): Uint8Array =>
  Array.isArray(chunk) ? Uint8Array.from(chunk) : Buffer.from(typeof chunk === 'string' ? chunk : '', 'base64');

const usageOf = ({ info, rate_limits: _, ...flat }: JsonObject): JsonObject => {
  const last = isObject(info) && isObject(info.last_token_usage) ? info.last_token_usage : {};
  return { ...last, ...flat };
};

/** `{type: 'add', …}` as `{add: {…}}`. */
const untagged = (changes: unknown): JsonObject =>
  Object.fromEntries(
    Object.entries(isObject(changes) ? changes : {}).map(([path, change]) => {
      if (!isObject(change) || typeof change.type !== 'string') return [path, change];
      const { type, ...rest } = change;
      return [path, { [type as string]: rest }];
    }),
  );
