import { beginItem, begun } from '../../src/appServer/beginItem';
import { closeOpen, endItem } from '../../src/appServer/endItem';
import { nothingHeard } from '../../src/appServer/heard';
import type { JsonObject } from '../../src/protocol/jsonrpc';

const item = (id: string, type: string, more: JsonObject = {}): JsonObject => ({ item: { id, type, ...more } });
const command = (id: string, source: string) => item(id, 'commandExecution', { source, command: 'x' });

describe('begun', () => {
  it('tells a beginning once, when it is time', () => {
    const heard = nothingHeard();
    expect(beginItem(heard, command('c', 'agent'))).toEqual([]);
    expect(begun(heard, 'c')).toMatchObject([{ type: 'exec_command_begin', call_id: 'c' }]);
    expect(begun(heard, 'c')).toEqual([]);
    expect(begun(heard, 'nobody')).toEqual([]);
  });

  it('knows whether somebody was asked about a patch', () => {
    const heard = nothingHeard();
    heard.asked.add('p');
    for (const id of ['p', 'q']) beginItem(heard, item(id, 'fileChange'));
    expect([...begun(heard, 'p'), ...begun(heard, 'q')]).toMatchObject([
      { auto_approved: false },
      { auto_approved: true },
    ]);
  });
});

describe('endItem', () => {
  it('tells the beginning of what was held back, where it ran all the same', () => {
    const heard = nothingHeard();
    beginItem(heard, command('c', 'agent'));
    const ended = endItem(heard, item('c', 'commandExecution', { status: 'completed', exitCode: 0 }));
    expect(ended.map(({ type }) => type)).toEqual(['exec_command_begin', 'exec_command_end']);
  });

  it('tells the end of what was allowed and declined in the end', () => {
    const heard = nothingHeard();
    beginItem(heard, command('c', 'user'));
    const ended = endItem(heard, item('c', 'commandExecution', { status: 'declined' }));
    expect(ended).toMatchObject([{ type: 'exec_command_end', exit_code: -1 }]);
  });
});

describe('closeOpen', () => {
  it('ends what was told to begin, and nothing else', () => {
    const heard = nothingHeard();
    for (const each of [
      command('c', 'user'),
      command('held', 'agent'),
      item('t', 'mcpToolCall', { server: 's', tool: 't' }),
      item('m', 'agentMessage'),
      item('r', 'reasoning'),
    ]) {
      beginItem(heard, each);
    }
    expect(closeOpen(heard)).toMatchObject([
      { type: 'exec_command_end', call_id: 'c', exit_code: -1 },
      { type: 'mcp_tool_call_end', call_id: 't', result: { Err: 'the turn ended before the call did' } },
    ]);
    expect(closeOpen(heard)).toEqual([]);
  });
});
