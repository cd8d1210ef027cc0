/** The form of an event of the agent in `codex/event`, for each face. */
import type { EventMsg, FileChanges, TurnItem } from '../../protocol/codex/eventMsg';
import type { CodexEvent } from '../../protocol/codex/events';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { toBuffer } from '../../streams/bytes/toBuffer';

/** An event and the turn it belongs to. */
export type EventOfTurn = Pick<CodexEvent, 'msg' | 'threadId' | 'turnId'>;

const base64 = (chunk: Uint8Array): string => toBuffer(chunk).toString('base64');

type TokenCount = Extract<EventMsg, { type: 'token_count' }>;

const usageInfo = ({ type: _, total, turn: _turn, model_context_window, ...usage }: TokenCount) => ({
  info: {
    ...(total && { total_token_usage: total }),
    last_token_usage: usage,
    ...(model_context_window !== undefined && { model_context_window }),
  },
});

const flatUsage = ({ total: _, turn: _turn, ...usage }: TokenCount) => usage;

/** The shapes of 0.28.0 with the additions of later releases; bytes as base64, as in 0.142.0. */
export const unionMessage = ({ msg, threadId, turnId }: EventOfTurn): JsonObject => {
  switch (msg.type) {
    case 'session_configured': {
      const { mcp_servers: _, ...shown } = msg;
      return { ...shown, thread_id: threadId };
    }
    case 'task_started':
    case 'task_complete':
    case 'turn_aborted':
    case 'exec_approval_request':
    case 'apply_patch_approval_request':
    case 'patch_apply_begin':
    case 'patch_apply_end':
      return { ...msg, turn_id: turnId };
    case 'exec_command_output_delta':
      return { ...msg, chunk: base64(msg.chunk) };
    case 'token_count':
      return { ...flatUsage(msg), ...usageInfo(msg) };
    default:
      return msg;
  }
};

/** Source: WIRE 7, tapes of Codex 0.28.0. */
export const message028 = ({ msg }: EventOfTurn): JsonObject => {
  switch (msg.type) {
    case 'session_configured': {
      const { type, session_id, model, history_log_id, history_entry_count } = msg;
      return { type, session_id, model, history_log_id, history_entry_count };
    }
    case 'agent_message_delta':
    case 'agent_reasoning_delta':
    case 'agent_reasoning_raw_content_delta':
      return { type: msg.type, delta: msg.delta };
    case 'agent_reasoning_section_break':
      return { type: msg.type };
    case 'exec_command_output_delta':
      return { ...msg, chunk: [...msg.chunk] };
    case 'exec_command_end':
      return msg.exit_code === -1 ? withTrouble(msg) : msg;
    case 'token_count': {
      const { model_context_window: _, ...flat } = flatUsage(msg);
      return flat;
    }
    default:
      return msg;
  }
};

type CommandEnd = Extract<EventMsg, { type: 'exec_command_end' }>;

/** The reason why a command did not end by itself is in all texts of its end but `stdout`. Source: Codex 0.28.0, WIRE 7.3. */
const withTrouble = (msg: CommandEnd): CommandEnd => {
  const [stderr, formatted_output] = [toOldTrouble(msg.stderr), toOldTrouble(msg.formatted_output)];
  return { ...msg, stderr, formatted_output, aggregated_output: msg.aggregated_output || stderr };
};

const toOldTrouble = (text: string): string =>
  text.replace(/^command timed out after \d+ milliseconds$/m, 'error: command timed out');

/** `{add: {…}}` as `{type: 'add', …}`. */
export const tagged = (changes: FileChanges): JsonObject =>
  Object.fromEntries(
    Object.entries(changes).map(([path, change]) => {
      const [[type, rest]] = Object.entries(change) as [[string, JsonObject]];
      return [path, { type, ...rest }];
    }),
  );

const toShownItem = (item: TurnItem): JsonObject =>
  item.type === 'FileChange' ? { ...item, changes: tagged(item.changes) } : item;

/** Source: tapes of Codex 0.142.0 and 0.153.4. */
export const message0153 = (event: EventOfTurn): JsonObject => {
  const { msg, threadId: thread_id, turnId: turn_id } = event;
  switch (msg.type) {
    case 'agent_message_delta':
      return { ...msg, type: 'agent_message_content_delta', thread_id, turn_id };
    case 'agent_reasoning_delta':
      return { ...msg, type: 'reasoning_content_delta', thread_id, turn_id, summary_index: msg.summary_index ?? 0 };
    case 'agent_reasoning_raw_content_delta':
      return { ...msg, type: 'reasoning_raw_content_delta', thread_id, turn_id, content_index: 0 };
    case 'token_count':
      return { type: msg.type, ...usageInfo(msg), rate_limits: null };
    default:
      return laterMessage(event);
  }
};

const laterMessage = (event: EventOfTurn): JsonObject => {
  const { msg, threadId: thread_id, turnId: turn_id } = event;
  switch (msg.type) {
    case 'exec_command_begin':
    case 'exec_command_end':
      return { ...msg, turn_id };
    case 'apply_patch_approval_request':
    case 'patch_apply_begin':
    case 'patch_apply_end':
      return { ...msg, ...(msg.changes && { changes: tagged(msg.changes) }), turn_id };
    case 'item_started':
    case 'item_completed':
      return { ...msg, item: toShownItem(msg.item), thread_id, turn_id };
    case 'session_configured':
      return { ...unionMessage(event), approvals_reviewer: 'user' };
    case 'agent_message':
      return { ...msg, phase: null, memory_citation: null };
    case 'error':
      return { ...msg, codex_error_info: 'other' };
    default:
      return unionMessage(event);
  }
};
