import { closeItems, completeItem, startItem } from '../../../../src/agent/appServer/turns/reduceItem';
import { initialTurn, type TurnState } from '../../../../src/agent/appServer/turns/turnState';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';

const item = (id: string, type: string, more: JsonObject = {}): JsonObject => ({ item: { id, type, ...more } });
const command = (id: string, source: string) => item(id, 'commandExecution', { source, command: 'x' });
const having = (...params: JsonObject[]): TurnState =>
  params.reduce<TurnState>((state, each) => startItem(state, each).state, initialTurn);

describe('completeItem', () => {
  it.each<[string, JsonObject, JsonObject, object[]]>([
    [
      'the beginning of a command that was not announced, where it ran all the same',
      command('c', 'agent'),
      { status: 'completed', exitCode: 0 },
      [{ type: 'exec_command_begin' }, { type: 'exec_command_end', exit_code: 0 }],
    ],
    [
      'nothing of a command that was declined before it was announced',
      command('c', 'agent'),
      { status: 'declined' },
      [],
    ],
    [
      'the end of a command that was announced and declined in the end',
      command('c', 'user'),
      { status: 'declined' },
      [{ type: 'exec_command_end', exit_code: -1 }],
    ],
  ])('emits %s', (_, started, end, expected) => {
    const { state, output } = completeItem(having(started), item('c', 'commandExecution', end));
    expect(output).toMatchObject(expected);
    expect(output).toHaveLength(expected.length);
    expect(state.items.size).toBe(0);
  });

  it.each([
    ['completed', { success: true, stderr: '', stdout: 'Success. Updated the following files:\n' }],
    ['failed', { success: false, stderr: 'The patch was not applied (failed).', stdout: '' }],
  ])('ends a patch that is %s', (status, end) => {
    const started = having(item('p', 'fileChange', { changes: [], status: 'inProgress' }));
    const { output } = completeItem(started, item('p', 'fileChange', { changes: [], status }));
    expect(output.at(-1)).toMatchObject({ type: 'patch_apply_end', call_id: 'p', ...end });
  });

  it('remembers the last message of the agent', () => {
    const { state, output } = completeItem(initialTurn, item('m', 'agentMessage', { text: 'hi' }));
    expect(output).toEqual([{ type: 'agent_message', message: 'hi' }]);
    expect(state.lastMessage).toBe('hi');
    expect(completeItem(state, item('r', 'reasoning')).state.lastMessage).toBe('hi');
  });
});

describe('closeItems', () => {
  it('ends what was announced, and nothing else', () => {
    const state = having(
      command('c', 'user'),
      command('unannounced', 'agent'),
      item('t', 'mcpToolCall', { server: 's', tool: 't' }),
      item('m', 'agentMessage'),
      item('r', 'reasoning'),
    );
    const closed = closeItems(state);
    expect(closed.output).toMatchObject([
      { type: 'exec_command_end', call_id: 'c', exit_code: -1 },
      { type: 'mcp_tool_call_end', call_id: 't', result: { Err: 'the turn ended before the call did' } },
    ]);
    expect(closeItems(closed.state).output).toEqual([]);
    expect(state.items.size).toBe(5);
  });
});
