import { fromWireMsg } from '../../../src/agent/tapeEngine/toTurns';

describe('fromWireMsg', () => {
  it.each<[string, object, object]>([
    [
      'the new names of deltas',
      { type: 'agent_message_content_delta', thread_id: 't', turn_id: 'u', item_id: 'i', delta: 'a' },
      { type: 'agent_message_delta', item_id: 'i', delta: 'a' },
    ],
    [
      'a delta without an item',
      { type: 'agent_message_delta', delta: 'a' },
      { type: 'agent_message_delta', item_id: '', delta: 'a' },
    ],
    [
      'output as base64',
      { type: 'exec_command_output_delta', call_id: 'c', chunk: 'aGk=' },
      { type: 'exec_command_output_delta', call_id: 'c', chunk: Buffer.from('hi') },
    ],
    [
      'output as numbers',
      { type: 'exec_command_output_delta', call_id: 'c', chunk: [104, 105] },
      { type: 'exec_command_output_delta', call_id: 'c', chunk: Uint8Array.from([104, 105]) },
    ],
    [
      'usage inside info',
      { type: 'token_count', info: { last_token_usage: { input_tokens: 1 } }, rate_limits: {} },
      { type: 'token_count', input_tokens: 1 },
    ],
    [
      'changes with their kind inside',
      { type: 'patch_apply_begin', changes: { 'a.txt': { type: 'add', content: 'x' }, 'b.txt': { delete: {} } } },
      { type: 'patch_apply_begin', changes: { 'a.txt': { add: { content: 'x' } }, 'b.txt': { delete: {} } } },
    ],
    [
      'a command that is missing',
      { type: 'exec_command_begin', call_id: 'c' },
      { type: 'exec_command_begin', call_id: 'c', command: [], cwd: '' },
    ],
  ])('reads %s', (_, wire, msg) => {
    expect(fromWireMsg({ ...wire })).toEqual(msg);
  });

  it('leaves out what clients of today do not get', () => {
    expect(fromWireMsg({ type: 'raw_response_item' })).toBeUndefined();
    expect(fromWireMsg({})).toBeUndefined();
  });
});
