import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import { beginTurn, endTurn, newView, type Shown, toolIdOf } from '../../../src/server/acp/toolView';
import { showDeltas, showEvent } from '../../../src/server/acp/turnView';

const view = newView('/w', 'turn');

/** The updates of events that follow each other. */
const shown = (msgs: readonly EventMsg[], from = view): Shown =>
  msgs.reduce<Shown>(
    ({ state, output }, msg) => {
      const next = showEvent(state, msg);
      return { state: next.state, output: [...output, ...next.output] };
    },
    { state: from, output: [] },
  );

const delta = (text: string, item_id = 'm'): EventMsg => ({ type: 'agent_message_delta', delta: text, item_id });
const begin = (call_id: string): EventMsg => ({
  type: 'exec_command_begin',
  call_id,
  command: ['ls'],
  cwd: '/w',
  parsed_cmd: [],
});
const end = (call_id: string, exit_code = 0): EventMsg => ({
  type: 'exec_command_end',
  call_id,
  stdout: 'x',
  stderr: '',
  aggregated_output: 'x',
  exit_code,
  duration: { secs: 0, nanos: 0 },
  formatted_output: 'x',
});
const output = (call_id: string, text: string): EventMsg => ({
  type: 'exec_command_output_delta',
  call_id,
  stream: 'stdout',
  chunk: Buffer.from(text),
});
const message = (id: string, text: string) => ({
  sessionUpdate: 'agent_message_chunk',
  messageId: id,
  content: { type: 'text', text },
});

describe('the messages of a turn', () => {
  it('have one id each, and are not sent again as a whole', () => {
    const { output } = shown([delta('a'), delta('b'), { type: 'agent_message', message: 'ab' }, delta('c', 'n')]);
    expect(output).toEqual([message('turn.1', 'a'), message('turn.1', 'b'), message('turn.2', 'c')]);
  });

  it('are sent as a whole if no part of them was', () => {
    expect(shown([{ type: 'agent_message', message: 'whole' }]).output).toEqual([message('turn.1', 'whole')]);
  });

  it('that came together are one update', () => {
    expect(showDeltas(view, [delta('a'), delta('b'), delta('c', 'n')]).output).toEqual([
      message('turn.1', 'ab'),
      message('turn.2', 'c'),
    ]);
  });

  it('have other ids in the next turn', () => {
    const { state } = shown([delta('a')]);
    expect(shown([delta('b')], beginTurn(state, 'next')).output).toEqual([message('next.1', 'b')]);
  });

  it('are apart from thoughts, which are not repeated either', () => {
    const thought = (text: string): EventMsg => ({ type: 'agent_reasoning_delta', delta: text, item_id: 'r' });
    const { output } = shown([
      { type: 'agent_reasoning_section_break', item_id: 'r' }, // Codex begins each part with a break, the first too
      thought('one'),
      { type: 'agent_reasoning_section_break', item_id: 'r' },
      thought('two'),
      { type: 'agent_reasoning', text: 'one' },
      { type: 'agent_reasoning', text: 'two' },
      delta('said'),
      { type: 'agent_reasoning', text: 'whole' },
    ]);
    expect(output.map((one) => ('content' in one ? one : undefined))).toMatchObject([
      { sessionUpdate: 'agent_thought_chunk', messageId: 'turn.1', content: { text: 'one' } },
      { messageId: 'turn.1', content: { text: '\n\n' } },
      { messageId: 'turn.1', content: { text: 'two' } },
      { sessionUpdate: 'agent_message_chunk', messageId: 'turn.2' },
      { sessionUpdate: 'agent_thought_chunk', messageId: 'turn.3', content: { text: 'whole' } },
    ]);
  });
});

describe('the calls of a turn', () => {
  it('begin, show their output as it grows, and end', () => {
    const { output: updates } = shown([begin('c'), output('c', 'a\n'), output('c', 'b\n'), end('c', 3)]);
    expect(updates.at(-1)).not.toHaveProperty('rawOutput');
    expect(updates).toMatchObject([
      { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'ls', kind: 'execute', status: 'in_progress' },
      { sessionUpdate: 'tool_call_update', content: [{ content: { text: '```\na\n```' } }] },
      { content: [{ content: { text: '```\na\nb\n```' } }] },
      { status: 'failed', content: [{ content: { text: '```\nx\n```' } }, { content: { text: 'Exit code 3' } }] },
    ]);
  });

  it('show the end of a long output from the beginning of a line on', () => {
    const key = `key=sk-${'b'.repeat(100)}\n`;
    const line = `${'a'.repeat(8_130)}\n`;
    const { output: updates } = shown([begin('c'), output('c', key), output('c', line)]);
    const text = `\`\`\`\n${line}\`\`\``;
    expect(updates.at(-1)).toMatchObject({ content: [{ content: { text } }] });
  });

  it('show the end of a long line', () => {
    const { output: updates } = shown([begin('c'), output('c', `${'a'.repeat(10_000)}end`)]);
    const text = `\`\`\`\n${'a'.repeat(8_189)}end\n\`\`\``;
    expect(
      JSON.stringify(updates[1]) ===
        JSON.stringify({ ...updates[1], content: [{ type: 'content', content: { type: 'text', text } }] }),
    ).toBe(true);
  });

  it('get another id if the model repeats one', () => {
    const { state, output: updates } = shown([begin('c'), end('c'), begin('c'), end('c')]);
    expect(updates.map((one) => 'toolCallId' in one && one.toolCallId)).toEqual(['c', 'c', 'c#2', 'c#2']);
    expect(toolIdOf(state, 'c')).toBe('c#2');
  });

  it('stay as they ended, and are never left open', () => {
    const { state, output: updates } = shown([begin('a'), end('a'), end('a', 1), begin('b')]);
    expect(updates).toHaveLength(3);
    expect(endTurn(state).output).toEqual([{ sessionUpdate: 'tool_call_update', toolCallId: 'b', status: 'failed' }]);
  });
});

describe('the rest of a turn', () => {
  it('has the plan with all its steps', () => {
    const plan = [{ step: 'one', status: 'in_progress' as const }];
    expect(shown([{ type: 'plan_update', explanation: null, plan }]).output).toEqual([
      { sessionUpdate: 'plan', entries: [{ content: 'one', priority: 'medium', status: 'in_progress' }] },
    ]);
  });

  it('has the use of the context', () => {
    const used = { input_tokens: 5, cached_input_tokens: 0, output_tokens: 2, reasoning_output_tokens: 0 };
    const { output: updates } = shown([
      { type: 'task_started', model_context_window: 100 },
      { type: 'token_count', ...used, total_tokens: 7 },
    ]);
    expect(updates).toEqual([{ sessionUpdate: 'usage_update', used: 7, size: 100 }]);
  });
});
