/** Free-form calls in both dialects. */

import { chatBody } from '../../../src/agent/model/chat/chatModel';
import { toItem } from '../../../src/agent/model/responses/responsesEvent';
import { responsesBody } from '../../../src/agent/model/responses/responsesModel';
import type { ResponseItem } from '../../../src/protocol/model/items';
import type { ModelRequest } from '../../../src/protocol/model/request';

const call: ResponseItem = {
  type: 'custom_tool_call',
  id: 'ctc_1',
  status: 'completed',
  call_id: 'c',
  name: 'apply_patch',
  input: 'a "patch"',
};
const output: ResponseItem = { type: 'custom_tool_call_output', call_id: 'c', output: 'done' };
const request: ModelRequest = {
  threadId: 't',
  model: 'm',
  instructions: 'i',
  input: [call, output],
  tools: [],
  reasoning: null,
  store: false,
};

describe('toItem', () => {
  it('reads a free-form call', () => {
    expect(toItem(call)).toEqual(call);
    const { status: _, id: __, ...bare } = call;
    expect(toItem(bare)).toEqual({ ...bare, id: null });
  });

  it.each(['call_id', 'name', 'input'])('leaves out a call without %s', (key) => {
    expect(toItem({ ...call, [key]: undefined })).toBeUndefined();
  });
});

describe('responsesBody', () => {
  it('sends a free-form call and its output as they came', () => {
    expect(responsesBody(request).input).toEqual([call, output]);
  });
});

describe('chatBody', () => {
  it('sends a free-form call as one of a function', () => {
    expect(chatBody(request, {}).messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c', type: 'function', function: { name: 'apply_patch', arguments: '{"input":"a \\"patch\\""}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c', content: 'done' },
    ]);
  });
});
