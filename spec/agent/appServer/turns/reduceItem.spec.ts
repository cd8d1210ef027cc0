import { announceItem, closeItems, completeItem, startItem } from '../../../../src/agent/appServer/turns/reduceItem';
import { initialTurn } from '../../../../src/agent/appServer/turns/turnState';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';

const item = (id: string, type: string, more: JsonObject = {}): JsonObject => ({ item: { id, type, ...more } });
const command = (source: string) => item('c', 'commandExecution', { source, command: 'ls' });

describe('startItem', () => {
  it.each<[string, JsonObject, string[]]>([
    ['a command of the user at once', command('user'), ['exec_command_begin']],
    ['a command of the agent later, because it may be declined', command('agent'), []],
    ['a patch later', item('p', 'fileChange'), []],
    ['a call of a tool at once', item('t', 'mcpToolCall'), ['mcp_tool_call_begin']],
    ['a search at once', item('s', 'webSearch'), ['web_search_begin']],
    ['a message not at all', item('m', 'agentMessage'), []],
    ['a type that every object has not at all', item('x', 'toString'), []],
  ])('announces %s', (_, params, types) => {
    const { state, output } = startItem(initialTurn, params);
    expect(output.map(({ type }) => type)).toEqual(types);
    expect(state.items.size).toBe(1);
    expect(initialTurn.items.size).toBe(0);
  });
});

describe('what Codex does with other agents', () => {
  const spawn = { tool: 'spawnAgent', prompt: 'look', model: null, receiverThreadIds: ['t2'], agentsStates: {} };
  const invocation = { server: 'agents', tool: 'spawnAgent', arguments: { prompt: 'look', agents: ['t2'] } };
  const duration = { secs: 0, nanos: 0 };
  const begun = startItem(initialTurn, item('a', 'collabAgentToolCall', spawn));
  const end = (result: unknown) => [{ type: 'mcp_tool_call_end', call_id: 'a', invocation, duration, result }];

  it('is the call of a tool, with what the agents say', () => {
    expect(begun.output).toEqual([{ type: 'mcp_tool_call_begin', call_id: 'a', invocation }]);
    const agentsStates = { t2: { status: 'completed', message: 'found' }, t3: { status: 'running', message: null } };
    const ended = item('a', 'collabAgentToolCall', { ...spawn, status: 'completed', agentsStates });
    const content = ['t2: found', 't3: running'].map((text) => ({ type: 'text', text }));
    expect(completeItem(begun.state, ended).output).toEqual(end({ Ok: { content } }));
  });

  it('fails as Codex says, or with its turn', () => {
    const failed = item('a', 'collabAgentToolCall', { ...spawn, status: 'failed' });
    expect(completeItem(begun.state, failed).output).toEqual(end({ Err: 'the call failed' }));
    expect(closeItems(begun.state).output).toEqual(end({ Err: 'the turn ended before the call did' }));
  });

  it('is shown too if the agent does something by itself', () => {
    const activity = item('b', 'subAgentActivity', { kind: 'interacted', agentPath: '/root/a', agentThreadId: 't2' });
    const call = { server: 'agents', tool: 'interacted', arguments: { agent: '/root/a' } };
    const { state, output } = startItem(initialTurn, activity);
    expect(output).toMatchObject([{ type: 'mcp_tool_call_begin', invocation: call }]);
    expect(completeItem(state, activity).output).toMatchObject([{ type: 'mcp_tool_call_end', result: { Ok: {} } }]);
  });
});

describe('startItem with ever more open items', () => {
  it('forgets the oldest', () => {
    const ids = Array.from({ length: 300 }, (_, i) => `i${i}`);
    const full = ids.reduce((state, id) => startItem(state, item(id, 'fileChange')).state, initialTurn);
    expect([...full.items.keys()]).toEqual(ids.slice(-256));
  });
});

describe('announceItem', () => {
  it('announces an item once', () => {
    const { state } = startItem(initialTurn, command('agent'));
    const first = announceItem(state, 'c');
    expect(first.output).toEqual([
      { type: 'exec_command_begin', call_id: 'c', command: ['ls'], cwd: '', parsed_cmd: [] },
    ]);
    expect(announceItem(first.state, 'c')).toEqual({ state: first.state, output: [] });
    expect(announceItem(state, 'unknown')).toEqual({ state, output: [] });
  });

  it.each([
    ['a patch that somebody was asked about', ['p'], false],
    ['a patch that nobody was asked about', [], true],
  ])('announces %s', (_, reviewed, auto_approved) => {
    const { state } = startItem({ ...initialTurn, reviewed: new Set(reviewed) }, item('p', 'fileChange'));
    expect(announceItem(state, 'p').output).toEqual([
      { type: 'patch_apply_begin', call_id: 'p', auto_approved, changes: {} },
    ]);
  });
});
