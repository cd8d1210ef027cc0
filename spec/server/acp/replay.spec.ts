import { replayThread } from '../../../src/server/acp/replay';
import { newView } from '../../../src/server/acp/toolView';
import { parseLines } from '../../../src/threads/lines/readRolloutLine';

const rollout = (...payloads: [type: string, payload: object][]): string =>
  payloads.map(([type, payload]) => JSON.stringify({ type, payload })).join('\n');

const past = (text: string) => replayThread(newView('/w', 't'), parseLines(text)).output;

const user = (message: string): [string, object] => ['event_msg', { type: 'user_message', message }];
const agent = (message: string): [string, object] => ['event_msg', { type: 'agent_message', message }];
const call: [string, object] = [
  'response_item',
  { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c' },
];

describe('the past of a thread', () => {
  it('has prompts, messages and calls in their order, each message with an id of its own', () => {
    const output: [string, object] = [
      'response_item',
      { type: 'function_call_output', call_id: 'c', output: '{"output":"a","metadata":{"exit_code":0}}' },
    ];
    expect(past(rollout(user('one'), agent('two'), call, output, agent('three')))).toMatchObject([
      { sessionUpdate: 'user_message_chunk', messageId: 't.1', content: { text: 'one' } },
      { sessionUpdate: 'agent_message_chunk', messageId: 't.2', content: { text: 'two' } },
      { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'ls' },
      { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' },
      { sessionUpdate: 'agent_message_chunk', messageId: 't.3', content: { text: 'three' } },
    ]);
  });

  it('leaves no call open, also if the program was killed in the middle of a line', () => {
    expect(past(`${rollout(user('one'), call)}\n{"type":"event_m`)).toMatchObject([
      { sessionUpdate: 'user_message_chunk' },
      { sessionUpdate: 'tool_call', status: 'in_progress' },
      { sessionUpdate: 'tool_call_update', status: 'failed' },
    ]);
  });

  it('has the calls that a person rejected, or that stopped with their turn, as failed', () => {
    for (const output of ['exec command rejected by user', 'aborted', 'aborted by user after 1.0s']) {
      const rejected: [string, object] = ['response_item', { type: 'function_call_output', call_id: 'c', output }];
      expect(past(rollout(user('one'), call, rejected))).toMatchObject([
        { sessionUpdate: 'user_message_chunk' },
        { sessionUpdate: 'tool_call', status: 'in_progress' },
        { sessionUpdate: 'tool_call_update', status: 'failed' },
      ]);
    }
  });

  it('ends with the use of the context, and leaves out what it cannot read', () => {
    const count = (total_tokens: number): [string, object] => [
      'event_msg',
      { type: 'token_count', info: { last_token_usage: { total_tokens } } },
    ];
    const odd: [string, object] = ['event_msg', { type: 'plan_update', plan: 5 }];
    expect(past(rollout(user('one'), count(5), odd, count(7)))).toMatchObject([
      { sessionUpdate: 'user_message_chunk' },
      { sessionUpdate: 'usage_update', used: 7, size: 272_000 },
    ]);
  });

  it('is empty for a new thread', () => {
    expect(past('')).toEqual([]);
  });
});
