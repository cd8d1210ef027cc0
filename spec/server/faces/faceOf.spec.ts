import type { EventMsg, TurnItem } from '../../../src/protocol/codex/eventMsg';
import type { CodexEvent, Event } from '../../../src/protocol/codex/events';
import { events028, FACES, faceOf } from '../../../src/server/faces/faceOf';

const union = faceOf('union', '0.1.0');
const old = faceOf('0.28', '0.1.0');
const last = faceOf('0.153', '0.1.0');

const text = { type: 'string', description: expect.any(String) };
const policies = { ...text, enum: ['untrusted', 'on-failure', 'on-request', 'never'] };
const modes = { ...text, enum: ['read-only', 'workspace-write', 'danger-full-access'] };
const both = {
  prompt: text,
  model: text,
  cwd: text,
  'approval-policy': policies,
  sandbox: modes,
  config: {
    type: 'object',
    description: expect.any(String),
    additionalProperties: true,
  },
  'base-instructions': text,
};
const newer = { 'developer-instructions': text, 'compact-prompt': text };
const older = { profile: text, 'include-plan-tool': { type: 'boolean', description: expect.any(String) } };
const outputSchema = {
  type: 'object',
  properties: { threadId: text, content: text },
  required: ['threadId', 'content'],
};

describe('faceOf', () => {
  it('shows the union of all arguments, and no other: this JSON, so that no change of it goes unseen', () => {
    expect(union.tools()).toMatchSnapshot();
  });

  it('shows the arguments of 0.28.0, and no output schema', () => {
    const [codex, reply] = old.tools();
    expect(codex?.inputSchema).toEqual({ type: 'object', properties: { ...both, ...older }, required: ['prompt'] });
    expect(reply?.inputSchema).toEqual({
      type: 'object',
      properties: { prompt: text, sessionId: text },
      required: ['prompt', 'sessionId'],
    });
    expect(codex).not.toHaveProperty('outputSchema');
  });

  it('shows the arguments of 0.153.4', () => {
    const [codex, reply] = last.tools();
    const properties = { ...both, ...newer };
    expect(codex?.inputSchema).toEqual({
      type: 'object',
      properties,
      required: ['prompt'],
      additionalProperties: false,
    });
    const ids = { prompt: text, threadId: text, conversationId: text };
    expect(reply?.inputSchema).toEqual({ type: 'object', properties: ids, required: ['prompt'] });
    expect(codex?.outputSchema).toEqual(outputSchema);
  });

  it.each(FACES)('announces in %s only what is served', (name) => {
    const { capabilities } = faceOf(name, '0.1.0');
    expect(Object.keys(capabilities)).toContain('tools');
  });
});

const eventOf = (msg: EventMsg): CodexEvent => ({
  kind: 'event',
  callId: 'c',
  threadId: 'T',
  turnId: 'U',
  id: '1',
  msg,
});
const usage = {
  input_tokens: 3,
  cached_input_tokens: null,
  output_tokens: 2,
  reasoning_output_tokens: 1,
  total_tokens: 5,
};
const configured: EventMsg = {
  type: 'session_configured',
  session_id: 'T',
  model: 'm',
  model_provider_id: 'p',
  approval_policy: 'never',
  sandbox_mode: 'read-only',
  cwd: '/w',
  history_log_id: 0,
  history_entry_count: 0,
};
const output: EventMsg = {
  type: 'exec_command_output_delta',
  call_id: 'x',
  stream: 'stdout',
  chunk: Uint8Array.of(104, 105, 255),
};
const deltaMsg: EventMsg = { type: 'agent_message_delta', delta: 'd', item_id: 'i' };

describe('Face.msg', () => {
  it('has the shapes of 0.28.0 with later fields beside them in the union', () => {
    expect(union.msg(eventOf(configured))).toEqual({ ...configured, thread_id: 'T' });
    expect(union.msg(eventOf({ type: 'task_started', model_context_window: 1 }))).toMatchObject({ turn_id: 'U' });
    expect(union.msg(eventOf(output))).toEqual({ ...output, chunk: 'aGn/' });
    expect(union.msg(eventOf(deltaMsg))).toEqual(deltaMsg);
    expect(union.msg(eventOf({ type: 'token_count', ...usage }))).toEqual({
      type: 'token_count',
      ...usage,
      info: { last_token_usage: usage },
    });
  });

  it('has exactly the fields of 0.28.0 in its face', () => {
    expect(old.msg(eventOf(configured))).toEqual({
      type: 'session_configured',
      session_id: 'T',
      model: 'm',
      history_log_id: 0,
      history_entry_count: 0,
    });
    expect(old.msg(eventOf(output))).toEqual({ ...output, chunk: [104, 105, 255] });
    expect(old.msg(eventOf(deltaMsg))).toEqual({ type: 'agent_message_delta', delta: 'd' });
    const breakMsg: EventMsg = { type: 'agent_reasoning_section_break', item_id: 'i' };
    expect(old.msg(eventOf(breakMsg))).toEqual({ type: 'agent_reasoning_section_break' });
    expect(old.msg(eventOf({ type: 'error', message: 'e' }))).toEqual({ type: 'error', message: 'e' });
  });

  it('has in 0.28.0 the reason in all texts of a command that did not end by itself', () => {
    const trouble = 'command timed out after 300 milliseconds';
    const end: EventMsg = {
      type: 'exec_command_end',
      call_id: 'x',
      stdout: '',
      stderr: trouble,
      aggregated_output: '',
      exit_code: -1,
      duration: { secs: 0, nanos: 0 },
      formatted_output: trouble,
    };
    const text = 'error: command timed out';
    expect(old.msg(eventOf(end))).toEqual({ ...end, stderr: text, aggregated_output: text, formatted_output: text });
    const stdout = { ...end, stdout: 'part', aggregated_output: 'part', formatted_output: `${trouble}\npart` };
    expect(old.msg(eventOf(stdout))).toMatchObject({ aggregated_output: 'part', formatted_output: `${text}\npart` });
    expect(old.msg(eventOf({ ...end, exit_code: 1 }))).toEqual({ ...end, exit_code: 1 });
    expect(union.msg(eventOf(end))).toEqual(end);
  });

  it('has the later names and ids in the face of 0.153', () => {
    const ids = { thread_id: 'T', turn_id: 'U', item_id: 'i' };
    expect(last.msg(eventOf(deltaMsg))).toEqual({ type: 'agent_message_content_delta', delta: 'd', ...ids });
    expect(last.msg(eventOf({ type: 'agent_reasoning_delta', delta: 'd', item_id: 'i' }))).toEqual({
      type: 'reasoning_content_delta',
      delta: 'd',
      ...ids,
      summary_index: 0,
    });
    expect(last.msg(eventOf({ type: 'agent_reasoning_raw_content_delta', delta: 'd', item_id: 'i' }))).toMatchObject({
      type: 'reasoning_raw_content_delta',
    });
    expect(last.msg(eventOf({ type: 'token_count', ...usage }))).toEqual({
      type: 'token_count',
      info: { last_token_usage: usage },
      rate_limits: null,
    });
    expect(last.msg(eventOf(output))).toMatchObject({ chunk: 'aGn/' });
    const begin: EventMsg = { type: 'exec_command_begin', call_id: 'x', command: ['a'], cwd: '/w', parsed_cmd: [] };
    expect(last.msg(eventOf(begin))).toEqual({ ...begin, turn_id: 'U' });
    const third: EventMsg = { type: 'agent_reasoning_delta', delta: 'd', item_id: 'i', summary_index: 2 };
    expect(last.msg(eventOf(third))).toMatchObject({ summary_index: 2 });
    expect(last.msg(eventOf({ type: 'agent_message', message: 'a' }))).toEqual({
      type: 'agent_message',
      message: 'a',
      phase: null,
      memory_citation: null,
    });
    expect(last.msg(eventOf({ type: 'error', message: 'e' }))).toEqual({
      type: 'error',
      message: 'e',
      codex_error_info: 'other',
    });
    expect(last.msg(eventOf(configured))).toMatchObject({ thread_id: 'T', approvals_reviewer: 'user' });
  });

  it('tags the changes of patches in the face of 0.153, in items and questions too', () => {
    const changes = { '/a': { add: { content: 'x' } } };
    const shown = { '/a': { type: 'add', content: 'x' } };
    const item: TurnItem = { type: 'FileChange', id: 'p', changes };
    expect(last.msg(eventOf({ type: 'item_started', item, started_at_ms: 1 }))).toEqual({
      type: 'item_started',
      item: { ...item, changes: shown },
      started_at_ms: 1,
      thread_id: 'T',
      turn_id: 'U',
    });
    const end: EventMsg = { type: 'patch_apply_end', call_id: 'p', stdout: '', stderr: '', success: true, changes };
    expect(last.msg(eventOf(end))).toMatchObject({ changes: shown, turn_id: 'U' });
    expect(last.question({ message: 'm', codex_changes: changes }, end)).toMatchObject({ codex_changes: shown });
    expect(last.question({ message: 'm' }, end)).not.toHaveProperty('codex_changes');
  });

  it('names the MCP servers of a thread in no face', () => {
    const named = eventOf({ ...configured, mcp_servers: ['a'] });
    for (const face of [union, old, last]) expect(face.msg(named)).not.toHaveProperty('mcp_servers');
  });

  it('shows the window of the model beside the totals', () => {
    expect(last.msg(eventOf({ type: 'token_count', ...usage, total: usage, model_context_window: 9 }))).toEqual({
      type: 'token_count',
      info: { total_token_usage: usage, last_token_usage: usage, model_context_window: 9 },
      rate_limits: null,
    });
  });

  it('names the thread beside the request, except in 0.28', () => {
    expect(union.meta(1, 'T')).toEqual({ requestId: 1, threadId: 'T' });
    expect(last.meta('1', 'T')).toEqual({ requestId: '1', threadId: 'T' });
    expect(old.meta(1, 'T')).toEqual({ requestId: 1 });
  });
});

const event = (msg: EventMsg, callId = 'c'): Event => ({
  kind: 'event',
  callId,
  threadId: 'T',
  turnId: 'U',
  id: '1',
  msg,
});

const diff = (text: string, callId = 'c') => event({ type: 'turn_diff', unified_diff: text }, callId);

const USAGE = {
  input_tokens: 1,
  cached_input_tokens: 0,
  output_tokens: 1,
  reasoning_output_tokens: 0,
  total_tokens: 2,
};

const count = (callId = 'c') => event({ type: 'token_count', ...USAGE }, callId);

const complete = (callId = 'c') => event({ type: 'task_complete', last_agent_message: 'done' }, callId);

const outputOf = (inputs: readonly Event[]): readonly Event[] =>
  inputs.reduce(
    ({ state, output }, input) => {
      const next = events028.receiveEvent(state, input);
      return { state: next.state, output: [...output, ...next.output] };
    },
    { state: events028.initial, output: [] as Event[] },
  ).output;

describe('events028', () => {
  it('repeats the newest diff after each later response of the model', () =>
    expect(outputOf([count(), diff('1'), count(), diff('2'), count(), count()])).toEqual([
      count(),
      diff('1'),
      count(),
      diff('1'),
      diff('2'),
      count(),
      diff('2'),
      count(),
      diff('2'),
    ]));

  it('repeats a diff once if the engine, such as a tape, repeats it too', () => {
    const [first, second] = [diff('1'), count()];
    expect(outputOf([first, second, first, second, first])).toEqual([first, second, first, second, first]);
  });

  it('repeats no diff of another turn, nor of one that is over', () => {
    const [first, second] = [diff('1', 'a'), count('b')];
    expect(outputOf([first, second, complete('a'), count('a')])).toEqual([first, second, complete('a'), count('a')]);
  });

  it('keeps no diff of a turn that is over', () => {
    const { state } = events028.receiveEvent(events028.receiveEvent(events028.initial, diff('1')).state, complete());
    expect(state).toEqual(new Map());
  });

  it('shows warnings and compactions as events that 0.28.0 has', () => {
    const background = (message: string) => event({ type: 'background_event', message });
    expect(outputOf([event({ type: 'warning', message: 'slow' })])).toEqual([background('slow')]);
    expect(outputOf([event({ type: 'context_compacted' })])).toEqual([
      background(expect.stringContaining('summarized')),
    ]);
  });

  it('leaves out warnings about items of the model', () =>
    expect(outputOf([event({ type: 'warning', message: 'what is it', item_type: 'mystery' })])).toEqual([]));

  it('passes the other events', () => {
    const others: Event[] = [
      { kind: 'rejected', callId: 'c', message: 'no' },
      { kind: 'done', callId: 'c', threadId: 'T' },
      { kind: 'deltas', callId: 'c', threadId: 'T', turnId: 'U', id: '1', msgs: [] },
      event({ type: 'error', message: 'down' }),
    ];
    expect(outputOf(others)).toEqual(others);
  });
});
