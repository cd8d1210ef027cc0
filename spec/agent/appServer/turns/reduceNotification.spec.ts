/** Single notifications, where the tapes have none. */
import fc from 'fast-check';
import { closeItems } from '../../../../src/agent/appServer/turns/reduceItem';
import { reduceNotification } from '../../../../src/agent/appServer/turns/reduceNotification';
import { initialTurn, type ReducedTurn } from '../../../../src/agent/appServer/turns/turnState';
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

const TYPES = ['agentMessage', 'reasoning', 'commandExecution', 'fileChange', 'mcpToolCall', 'webSearch', 'toString'];
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
