import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseLines } from '../../../src/threads/lines/readRolloutLine';
import { addLines, isOfThread, nothingRead, toThread } from '../../../src/threads/lines/storedThread';
import { readThread } from '../support';

const fixture = (release: string): string =>
  readFileSync(join(__dirname, `../../fixtures/rollouts/${release}.jsonl`), 'utf8');

const kinds = (release: string): string[] =>
  (readThread(fixture(release))?.items ?? []).map((item) => (item.type === 'message' ? item.role : item.type));

describe('readThread', () => {
  it('reads a rollout of 0.28.0, whose settings only the model was to read', () => {
    expect(readThread(fixture('0.28.0'))).toEqual({
      id: 'fd19f521-a429-4db8-9b7b-2a0d5a7baa89',
      settings: { cwd: '/work', approvalPolicy: 'never', sandbox: 'danger-full-access', config: {} },
      items: expect.any(Array),
      folders: { '/work': { path: '/work' } },
    });
    expect(kinds('0.28.0')).toEqual(['user', 'user', 'function_call', 'function_call_output', 'assistant']);
  });

  it('reads a rollout of 0.142.0', () => {
    expect(readThread(fixture('0.142.0'))).toEqual({
      counted: { tokens: 28, upTo: 6 },
      id: '01a1fc7a-8f3c-7f31-b315-5156669fc66e',
      settings: {
        cwd: '/work',
        model: 'gpt-5',
        approvalPolicy: 'never',
        sandbox: 'danger-full-access',
        config: { model_provider: 'mock', model_reasoning_summary: 'auto' },
      },
      items: expect.any(Array),
      folders: { '/work': { path: '/work' } },
      usage: {
        input_tokens: 40,
        cached_input_tokens: 8,
        output_tokens: 16,
        reasoning_output_tokens: 4,
        total_tokens: 56,
      },
    });
    expect(kinds('0.142.0')).toEqual([
      'developer',
      'user',
      'user',
      'function_call',
      'function_call_output',
      'assistant',
    ]);
  });

  it('reads a rollout of 0.169.0, whose lines are counted', () => {
    expect(readThread(fixture('0.169.0'))).toMatchObject({
      id: '01a204a1-4263-7190-875f-d7c5e9a55aa0',
      settings: { cwd: '/work', model: 'gpt-5', sandbox: 'danger-full-access', config: { model_provider: 'mock' } },
      nextOrdinal: 14,
    });
    expect(kinds('0.169.0')).toEqual(['developer', 'user', 'user', 'assistant']);
  });

  it('reads what may be written to, and settings of a thread of its own', () => {
    const meta = {
      id: 'T',
      cwd: '/a',
      base_instructions: { text: 'Be.' },
      codex_rx: { profile: 'p', includePlanTool: true },
    };
    const sandbox_policy = { type: 'workspace-write', writable_roots: ['/b', 1], network_access: true, moon: 1 };
    const lines = [
      { type: 'session_meta', payload: meta },
      { type: 'turn_context', payload: { cwd: '/c', sandbox_policy, effort: 'high', approval_policy: 'moon' } },
    ];
    expect(readThread(lines.map((line) => JSON.stringify(line)).join('\n'))?.settings).toEqual({
      cwd: '/c',
      sandbox: 'workspace-write',
      profile: 'p',
      includePlanTool: true,
      baseInstructions: 'Be.',
      config: {
        model_reasoning_effort: 'high',
        sandbox_workspace_write: { writable_roots: ['/b'], network_access: true },
      },
    });
  });

  it('reads where its folders led; other folders had no links, unless their paths may be written in several ways', () => {
    const sandbox_policy = { type: 'workspace-write', writable_roots: ['/b', 'C:\\d'] };
    const first = { '/a': { path: '/v', owner: 7 }, '/e': { path: '/e' }, '/x': { path: 1 }, '/y': 'moon' };
    const lines = [
      { type: 'session_meta', payload: { id: 'T', cwd: '/a', codex_rx: { folders: first } } },
      { type: 'turn_context', payload: { cwd: '/a', codex_rx: { folders: { '/e': { path: '/w', owner: 0 } } } } },
      { type: 'turn_context', payload: { cwd: '/c', sandbox_policy } },
    ];
    expect(readThread(lines.map((line) => JSON.stringify(line)).join('\n'))?.folders).toEqual({
      '/a': { path: '/v', owner: 7 },
      '/b': { path: '/b' },
      '/c': { path: '/c' },
      '/e': { path: '/w', owner: 0 },
    });
  });

  it('reads the last count of the provider, and which items it is of, unless the conversation was changed later', () => {
    const item = (type: string, own: object = {}) => ({ type: 'response_item', payload: { type, ...own } });
    const message = (role: string) =>
      item('message', { role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text: 'x' }] });
    const count = (total_tokens: number) => ({
      type: 'event_msg',
      payload: { type: 'token_count', info: { last_token_usage: { total_tokens } } },
    });
    const countedOf = (...lines: object[]) =>
      readThread(
        [{ type: 'session_meta', payload: { id: 'T' } }, ...lines].map((line) => JSON.stringify(line)).join('\n'),
      )?.counted;
    const turn = [message('user'), message('assistant')];
    expect(countedOf(...turn)).toBeUndefined();
    expect(countedOf(...turn, count(7), ...turn, count(9))).toEqual({ tokens: 9, upTo: 4 });
    expect(countedOf(...turn, count(7), message('user'))).toEqual({ tokens: 7, upTo: 2 });
    expect(countedOf(...turn, count(7), count(0))).toEqual({ tokens: 7, upTo: 2 });
    expect(countedOf(...turn, count(7), { type: 'compacted', payload: { replacement_history: [] } })).toBeUndefined();
  });

  it.each([
    ['{"timestamp":"t","type":"event_msg","payload":{"type":"agent_reasoning","text":"', false],
    ['{"timestamp":"t","type":"event_msg","payload":{"type":"token_count",', true],
    ['{"timestamp":"t","type":"response_item","payload":{', true],
    ['{"type":"message","role":"user"', true],
  ])('needs a line that begins with %s: %j', (head, expected) => {
    expect(isOfThread(head)).toBe(expected);
  });

  it('does not take the instructions of Codex for those of a caller', () => {
    const payload = { id: 'T', base_instructions: { text: 'You are a coding agent.' } };
    expect(readThread(JSON.stringify({ type: 'session_meta', payload }))?.settings.baseInstructions).toBeUndefined();
  });

  it('reads the same thread from any pieces of its lines', () => {
    const lines = parseLines(fixture('0.142.0'));
    const whole = readThread(fixture('0.142.0'));
    fc.assert(
      fc.property(fc.nat(lines.length), fc.nat(lines.length), (one, other) => {
        const pieces = [lines.slice(0, one), lines.slice(one, other), lines.slice(Math.max(one, other))];
        expect(toThread(pieces.reduce(addLines, nothingRead()))).toEqual(whole);
      }),
    );
  });

  it('reads a rollout that ends at any byte: all whole lines, or none where the first is not whole', () => {
    const text = fixture('0.142.0');
    const first = text.indexOf('\n');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: text.length }), (end) => {
        const thread = readThread(text.slice(0, end));
        expect(thread?.id).toBe(end < first ? undefined : '01a1fc7a-8f3c-7f31-b315-5156669fc66e');
      }),
    );
  });
});
