import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import { message028, message0153, tagged, unionMessage } from '../../../src/server/faces/eventMessages';

const show = (face: (event: { msg: EventMsg; threadId: string; turnId: string }) => object, msg: object) =>
  face({ msg: msg as EventMsg, threadId: 'T', turnId: 'u' });
const chunk = new Uint8Array([104, 105]);
const [thread_id, turn_id] = ['T', 'u'];
const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
const total = { ...usage, total_tokens: 9 };
const configured = {
  type: 'session_configured',
  session_id: 'T',
  model: 'm',
  cwd: '/',
  history_log_id: 1,
  history_entry_count: 2,
};
const end = { type: 'exec_command_end', exit_code: -1, stdout: '', stderr: 'command timed out after 5 milliseconds' };
const changes = { a: { add: { content: 'x' } } };

describe('unionMessage', () => {
  it.each<[object, object]>([
    [
      { ...configured, mcp_servers: ['s'] },
      { ...configured, thread_id },
    ],
    [
      { type: 'task_complete', last_agent_message: 'a' },
      { type: 'task_complete', last_agent_message: 'a', turn_id },
    ],
    [
      { type: 'exec_command_output_delta', chunk },
      { type: 'exec_command_output_delta', chunk: 'aGk=' },
    ],
    [
      { type: 'token_count', ...usage, total, turn: usage, model_context_window: 7 },
      {
        type: 'token_count',
        ...usage,
        model_context_window: 7,
        info: { total_token_usage: total, last_token_usage: usage, model_context_window: 7 },
      },
    ],
    [
      { type: 'token_count', ...usage },
      { type: 'token_count', ...usage, info: { last_token_usage: usage } },
    ],
    [
      { type: 'warning', message: 'w' },
      { type: 'warning', message: 'w' },
    ],
  ])('of %j', (msg, shown) => {
    expect(show(unionMessage, msg)).toEqual(shown);
  });
});

describe('message028', () => {
  it.each<[object, object]>([
    [{ ...configured, cwd: '/' }, (({ cwd: _, ...rest }) => rest)(configured)],
    [
      { type: 'agent_message_delta', delta: 'd', item_id: 'i' },
      { type: 'agent_message_delta', delta: 'd' },
    ],
    [{ type: 'agent_reasoning_section_break', item_id: 'i' }, { type: 'agent_reasoning_section_break' }],
    [
      { type: 'exec_command_output_delta', chunk },
      { type: 'exec_command_output_delta', chunk: [104, 105] },
    ],
    [
      { type: 'token_count', ...usage, total, turn: usage, model_context_window: 7 },
      { type: 'token_count', ...usage },
    ],
    [
      { ...end, formatted_output: end.stderr, aggregated_output: '' },
      {
        ...end,
        stderr: 'error: command timed out',
        formatted_output: 'error: command timed out',
        aggregated_output: 'error: command timed out',
      },
    ],
    [
      { ...end, exit_code: 1, formatted_output: '', aggregated_output: 'o' },
      { ...end, exit_code: 1, formatted_output: '', aggregated_output: 'o' },
    ],
    [
      { type: 'warning', message: 'w' },
      { type: 'warning', message: 'w' },
    ],
  ])('of %j', (msg, shown) => {
    expect(show(message028, msg)).toEqual(shown);
  });
});

describe('message0153', () => {
  const delta = { delta: 'd', item_id: 'i' };
  const ids = { thread_id, turn_id };
  it.each<[object, object]>([
    [
      { type: 'agent_message_delta', ...delta },
      { type: 'agent_message_content_delta', ...delta, ...ids },
    ],
    [
      { type: 'agent_reasoning_delta', ...delta },
      { type: 'reasoning_content_delta', ...delta, ...ids, summary_index: 0 },
    ],
    [
      { type: 'agent_reasoning_delta', ...delta, summary_index: 2 },
      { type: 'reasoning_content_delta', ...delta, ...ids, summary_index: 2 },
    ],
    [
      { type: 'agent_reasoning_raw_content_delta', ...delta },
      { type: 'reasoning_raw_content_delta', ...delta, ...ids, content_index: 0 },
    ],
    [
      { type: 'token_count', ...usage, total },
      { type: 'token_count', info: { total_token_usage: total, last_token_usage: usage }, rate_limits: null },
    ],
    [{ type: 'exec_command_begin' }, { type: 'exec_command_begin', turn_id }],
    [
      { type: 'patch_apply_begin', changes },
      { type: 'patch_apply_begin', changes: { a: { type: 'add', content: 'x' } }, turn_id },
    ],
    [{ type: 'patch_apply_end' }, { type: 'patch_apply_end', turn_id }],
    [
      { type: 'item_started', item: { type: 'FileChange', changes } },
      { type: 'item_started', item: { type: 'FileChange', changes: tagged(changes) }, ...ids },
    ],
    [configured, { ...configured, thread_id, approvals_reviewer: 'user' }],
    [
      { type: 'agent_message', message: 'a' },
      { type: 'agent_message', message: 'a', phase: null, memory_citation: null },
    ],
    [
      { type: 'error', message: 'e' },
      { type: 'error', message: 'e', codex_error_info: 'other' },
    ],
    [{ type: 'turn_aborted' }, { type: 'turn_aborted', turn_id }],
  ])('of %j', (msg, shown) => {
    expect(show(message0153, msg)).toEqual(shown);
  });
});
