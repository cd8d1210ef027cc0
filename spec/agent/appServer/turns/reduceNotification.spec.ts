/** Single notifications, where the tapes have none. */
import fc from 'fast-check';
import { closeItems, startItem } from '../../../../src/agent/appServer/turns/reduceItem';
import {
  DELTAS,
  diff,
  notice,
  plan,
  reduceNotification,
  retried,
  startup,
  usage,
} from '../../../../src/agent/appServer/turns/reduceNotification';
import { initialTurn, type ReducedTurn, type ReduceParams } from '../../../../src/agent/appServer/turns/turnState';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';

/** The state and all events after notifications, one after another. */
const reduced = (...notifications: [string, JsonObject][]): ReducedTurn =>
  notifications.reduce<ReducedTurn>(
    ({ state, output }, [method, params]) => {
      const next = reduceNotification(state, { method, params });
      return { state: next.state, output: [...output, ...next.output] };
    },
    { state: initialTurn, output: [] },
  );
const begins = (item: JsonObject): [string, JsonObject] => ['item/started', { item: { id: 'i', ...item } }];
const ends = (item: JsonObject): [string, JsonObject] => ['item/completed', { item: { id: 'i', ...item } }];

const TYPES = [
  'agentMessage',
  'reasoning',
  'commandExecution',
  'fileChange',
  'mcpToolCall',
  'webSearch',
  'collabAgentToolCall',
  'toString',
];
const METHODS = [
  'turn/started',
  'item/started',
  'item/completed',
  'item/agentMessage/delta',
  'item/commandExecution/outputDelta',
  'item/reasoning/summaryPartAdded',
  'turn/plan/updated',
  'turn/diff/updated',
  'thread/tokenUsage/updated',
  'mcpServer/startupStatus/updated',
  'warning',
  'error',
];

describe('reduceNotification', () => {
  it.each<[string, [string, JsonObject][], object[]]>([
    ['a method it does not know', [['thread/somethingNew', { threadId: 't' }]], []],
    [
      'a name that every object has',
      [
        ['constructor', {}],
        ['toString', {}],
      ],
      [],
    ],
    [
      'reasoning',
      [ends({ type: 'reasoning', summary: ['why'], content: ['raw'] })],
      [
        { type: 'agent_reasoning', text: 'why' },
        { type: 'agent_reasoning_raw_content', text: 'raw' },
      ],
    ],
    [
      'reasoning as it comes',
      [
        ['item/reasoning/summaryTextDelta', { delta: 'a', itemId: 'i' }],
        ['item/reasoning/textDelta', { delta: 'b', itemId: 'i' }],
        ['item/reasoning/summaryPartAdded', { itemId: 'i' }],
      ],
      [
        { type: 'agent_reasoning_delta', delta: 'a', item_id: 'i' },
        { type: 'agent_reasoning_raw_content_delta', delta: 'b', item_id: 'i' },
        { type: 'agent_reasoning_section_break', item_id: 'i' },
      ],
    ],
    [
      'a search',
      [begins({ type: 'webSearch' }), ends({ type: 'webSearch', query: 'rx' })],
      [
        { type: 'web_search_begin', call_id: 'i' },
        { type: 'web_search_end', call_id: 'i', query: 'rx' },
      ],
    ],
    [
      'a goal, when what it is or how far it is has changed',
      ['active', 'active', 'complete'].map((status, tokensUsed) => [
        'thread/goal/updated',
        { turnId: null, goal: { objective: 'ship', status, tokensUsed } },
      ]),
      ['active', 'complete'].flatMap((tool, at) => {
        const about = {
          call_id: `goal--${at}`,
          invocation: { server: 'goal', tool, arguments: { objective: 'ship' } },
        };
        const duration = { secs: 0, nanos: 0 };
        return [
          { type: 'mcp_tool_call_begin', ...about },
          { type: 'mcp_tool_call_end', ...about, duration, result: { Ok: { content: [] } } },
        ] as const;
      }),
    ],
    ['a compaction', [ends({ type: 'contextCompaction' })], [{ type: 'context_compacted' }]],
    [
      'output of a command that was not announced, which shows that it runs',
      [
        begins({ type: 'commandExecution', source: 'agent', command: 'ls -l', cwd: '/w' }),
        ['item/commandExecution/outputDelta', { itemId: 'i', delta: 'x' }],
      ],
      [
        { type: 'exec_command_begin', call_id: 'i', command: ['ls', '-l'], cwd: '/w', parsed_cmd: [] },
        { type: 'exec_command_output_delta', call_id: 'i', stream: 'stdout', chunk: Buffer.from('x') },
      ],
    ],
    [
      'a command that was declined, which never began',
      [
        begins({ type: 'commandExecution', source: 'agent', command: 'rm' }),
        ends({ type: 'commandExecution', status: 'declined' }),
      ],
      [],
    ],
    [
      'a tool that failed',
      [
        begins({ type: 'mcpToolCall', server: 's', tool: 't' }),
        ends({ type: 'mcpToolCall', error: { message: 'no' }, durationMs: 1500 }),
      ],
      [
        { type: 'mcp_tool_call_begin', call_id: 'i', invocation: { server: 's', tool: 't', arguments: null } },
        expect.objectContaining({ result: { Err: 'no' }, duration: { secs: 1, nanos: 500_000_000 } }),
      ],
    ],
    [
      'a patch that could not be applied',
      [ends({ type: 'fileChange', status: 'failed', changes: [] })],
      [expect.objectContaining({ type: 'patch_apply_end', success: false, stdout: '' })],
    ],
    [
      'the same difference twice, once',
      [
        ['turn/diff/updated', { diff: 'd' }],
        ['turn/diff/updated', { diff: 'd' }],
      ],
      [{ type: 'turn_diff', unified_diff: 'd' }],
    ],
    [
      'an MCP server of its own that does not start',
      [
        ['mcpServer/startupStatus/updated', { name: 'm', status: 'ready' }],
        ['mcpServer/startupStatus/updated', { name: 'm', status: 'failed', error: 'gone' }],
      ],
      [
        { type: 'mcp_startup_update', server: 'm', status: { state: 'ready' } },
        { type: 'warning', message: 'The MCP server m could not be started: gone' },
        { type: 'mcp_startup_update', server: 'm', status: { state: 'failed', error: 'gone' } },
      ],
    ],
    ['a notice', [['deprecationNotice', { summary: 'old' }]], [{ type: 'warning', message: 'old' }]],
    [
      'an error that is retried, and no other',
      [
        ['error', { error: { message: 'again' }, willRetry: true }],
        ['error', { error: { message: 'over' } }],
      ],
      [{ type: 'stream_error', message: 'again' }],
    ],
    [
      'params of any shape',
      [
        ['item/started', {}],
        ['item/completed', { item: 7 }],
        ['turn/plan/updated', { plan: 'x' }],
        ['thread/tokenUsage/updated', {}],
      ],
      [
        { type: 'plan_update', explanation: null, plan: [] },
        expect.objectContaining({ type: 'token_count', total_tokens: 0 }),
      ],
    ],
  ])('emits %s', (_, notifications, expected) => {
    expect(reduced(...notifications).output).toEqual(expected);
  });

  it.each<[object, object]>([
    [{ kind: { type: 'add' }, diff: 'new' }, { add: { content: 'new' } }],
    [{ kind: { type: 'delete' }, diff: 'old' }, { delete: { content: 'old' } }],
    [{ kind: { type: 'update' }, diff: '@@' }, { update: { unified_diff: '@@', move_path: null } }],
    [
      { kind: { type: 'update', move_path: 'b' }, diff: '@@\n\nMoved to: b' },
      { update: { unified_diff: '@@\n', move_path: 'b' } },
    ],
  ])('takes over the change %j', (change, expected) => {
    const item = { type: 'fileChange', status: 'completed', changes: [{ path: 'f', ...change }] };
    const [begun] = reduced(begins(item), ends(item)).output;
    expect(begun).toMatchObject({ type: 'patch_apply_begin', changes: { f: expected } });
  });

  it.each([
    [
      { type: 'read', command: 'cat f', name: 'f' },
      { type: 'read', cmd: 'cat f', name: 'f' },
    ],
    [
      { type: 'listFiles', command: 'ls', path: 'd' },
      { type: 'list_files', cmd: 'ls', path: 'd' },
    ],
    [
      { type: 'search', command: 'rg x', query: 'x' },
      { type: 'search', cmd: 'rg x', query: 'x', path: null },
    ],
    [
      { type: 'other', command: 'make' },
      { type: 'unknown', cmd: 'make' },
    ],
  ])('takes over the meaning %j of a command', (action, expected) => {
    const item = { type: 'commandExecution', source: 'user', command: 'x', commandActions: [action] };
    expect(reduced(begins(item)).output[0]).toMatchObject({ parsed_cmd: [expected] });
  });

  it('takes anything for params, of any method and item', () => {
    const params = fc.oneof(
      fc.object(),
      fc.record({ item: fc.oneof(fc.object(), fc.record({ id: fc.string(), type: fc.constantFrom(...TYPES) })) }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...METHODS), params)), (notifications) => {
        const { state, output } = reduced(...(notifications as [string, JsonObject][]));
        for (const { type } of [...output, ...closeItems(state).output]) expect(typeof type).toBe('string');
      }),
    );
  });
});

const reduce = (method: string): ReduceParams => DELTAS[method] as ReduceParams;

describe('DELTAS', () => {
  it.each([
    ['item/agentMessage/delta', 'agent_message_delta'],
    ['item/reasoning/summaryTextDelta', 'agent_reasoning_delta'],
    ['item/reasoning/textDelta', 'agent_reasoning_raw_content_delta'],
  ])('takes %s for %s', (method, type) => {
    const result = reduce(method)(initialTurn, { delta: 'x', itemId: 'i' });
    expect(result).toEqual({ state: initialTurn, output: [{ type, delta: 'x', item_id: 'i' }] });
  });

  it('announces the command whose output comes, once', () => {
    const params = { item: { id: 'c', type: 'commandExecution', source: 'agent', command: 'ls', cwd: '/' } };
    const output = reduce('item/commandExecution/outputDelta');
    const delta = { type: 'exec_command_output_delta', call_id: 'c', stream: 'stdout', chunk: Buffer.from('x') };
    const first = output(startItem(initialTurn, params).state, { itemId: 'c', delta: 'x' });
    expect(first.output).toEqual([expect.objectContaining({ type: 'exec_command_begin', call_id: 'c' }), delta]);
    expect(output(first.state, { itemId: 'c', delta: 'x' }).output).toEqual([delta]);
  });
});

describe('startup', () => {
  const update = (status: object) => ({ type: 'mcp_startup_update', server: 'm', status });
  const failed = (message: string, error: string) => [{ type: 'warning', message }, update({ state: 'failed', error })];
  it.each([
    [{ name: 'm', status: 'starting' }, [update({ state: 'starting' })]],
    [{ name: 'm', status: 'ready', error: null }, [update({ state: 'ready' })]],
    [{ name: 'm', status: 'cancelled' }, [update({ state: 'cancelled' })]],
    [{ name: 'm', status: 'napping' }, []],
    [{ name: 'm', status: 'failed' }, failed('The MCP server m could not be started', '')],
    [{ name: 'm', status: 'failed', error: 'gone' }, failed('The MCP server m could not be started: gone', 'gone')],
    [
      { name: 'm', status: 'failed', error: { message: 'gone' } },
      failed('The MCP server m could not be started: gone', 'gone'),
    ],
  ])('emits how far a server is: %j', (params, output) => {
    expect(startup(initialTurn, params)).toEqual({ state: initialTurn, output });
  });
});

describe('notice', () => {
  it('emits the summary, else the message', () => {
    const texts = [{ summary: 'old', message: 'more' }, { message: 'more' }].map(
      (params) => notice(initialTurn, params).output,
    );
    expect(texts).toEqual([[{ type: 'warning', message: 'old' }], [{ type: 'warning', message: 'more' }]]);
  });
});

describe('retried', () => {
  it('emits an error that is retried, and no final one', () => {
    expect(retried(initialTurn, { error: { message: 'again' }, willRetry: true }).output).toEqual([
      { type: 'stream_error', message: 'again' },
    ]);
    expect(retried(initialTurn, { error: { message: 'over' } }).output).toEqual([]);
  });
});

describe('plan', () => {
  it('emits the steps in the terms of the events; an unknown status is pending', () => {
    const steps = ['completed', 'inProgress', 'pending', 'toString'].map((status) => ({ step: 's', status }));
    const { state, output } = plan(initialTurn, { explanation: 'why', plan: steps });
    const statuses = ['completed', 'in_progress', 'pending', 'pending'];
    expect(output).toEqual([
      { type: 'plan_update', explanation: 'why', plan: statuses.map((status) => ({ step: 's', status })) },
    ]);
    expect(state).toBe(initialTurn);
  });
});

describe('usage', () => {
  it('emits the tokens of the last answer, zeros where they are missing', () => {
    const last = { inputTokens: 5, cachedInputTokens: 1, outputTokens: 2, reasoningOutputTokens: 3, totalTokens: 7 };
    const tokens = (input: number, cached: number, output: number, reasoning: number, total: number) => ({
      type: 'token_count',
      input_tokens: input,
      cached_input_tokens: cached,
      output_tokens: output,
      reasoning_output_tokens: reasoning,
      total_tokens: total,
    });
    expect(usage(initialTurn, { tokenUsage: { last } }).output).toEqual([tokens(5, 1, 2, 3, 7)]);
    expect(usage(initialTurn, {}).output).toEqual([tokens(0, 0, 0, 0, 0)]);
    const whole = { last, total: last, modelContextWindow: 9 };
    expect(usage(initialTurn, { tokenUsage: whole }).output).toMatchObject([
      { total: { total_tokens: 7 }, model_context_window: 9 },
    ]);
  });
});

describe('diff', () => {
  it('emits a diff once, and again when it has changed', () => {
    const first = diff(initialTurn, { diff: 'a' });
    expect(first.output).toEqual([{ type: 'turn_diff', unified_diff: 'a' }]);
    expect(diff(first.state, { diff: 'a' })).toEqual({ state: first.state, output: [] });
    expect(diff(first.state, { diff: 'b' }).output).toEqual([{ type: 'turn_diff', unified_diff: 'b' }]);
  });
});
