import { readChunk } from '../../../../src/agent/model/chat/readChunk';
import { ModelError } from '../../../../src/protocol/model/model';

const read = (delta: unknown, own: object = {}) => readChunk({ choices: [{ index: 0, delta, ...own }] });
const piece = (own: object) => ({ text: '', thought: '', kept: {}, calls: [], ...own });

describe('readChunk', () => {
  it.each<[string, object]>([
    ['of nothing', {}],
    ['of the usage', { choices: [], usage: {} }],
    ['whose choices are none', { choices: null }],
    ['whose choice is none', { choices: [7] }],
    ['whose delta is null', { choices: [{ delta: null, finish_reason: null }] }],
    ['whose finish reason is empty', { choices: [{ finish_reason: '' }] }],
  ])('adds nothing of a chunk %s', (_, chunk) => {
    expect(readChunk(chunk as never)).toEqual(piece({}));
  });

  it.each<[string, object, object]>([
    ['a text', { content: 'a' }, { text: 'a' }],
    ['parts of text', { content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }, 7] }, { text: 'ab' }],
    ['a refusal', { content: null, refusal: 'no' }, { text: 'no' }],
    ['a part that refuses', { content: [{ type: 'refusal', refusal: 'no' }] }, { text: 'no' }],
    ['the transcript of audio', { audio: { id: 'x', data: 'AA==', transcript: 'a' } }, { text: 'a' }],
    [
      'thoughts of DeepSeek',
      { reasoning_content: 'a', content: '' },
      { thought: 'a', kept: { reasoning_content: 'a' } },
    ],
    ['thoughts of Ollama', { reasoning: 'a', content: '' }, { thought: 'a', kept: { reasoning: 'a' } }],
    ['thoughts in an object', { reasoning: { content: 'a' } }, { thought: 'a' }],
    ['thoughts under their own name', { thinking: 'a' }, { thought: 'a', kept: { thinking: 'a' } }],
    [
      'thoughts of Mistral',
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'a' }] },
          { type: 'text', text: 'b' },
        ],
      },
      { text: 'b', thought: 'a' },
    ],
    ['calls', { tool_calls: [{ index: 0 }] }, { calls: [{ index: 0 }] }],
    ['calls of null', { tool_calls: null, function_call: null }, {}],
    ['a call of both forms', { tool_calls: [{ index: 0 }], function_call: { name: 'x' } }, { calls: [{ index: 0 }] }],
    ['a call of the old form', { function_call: { name: 'x' } }, { calls: [{ index: -1, function: { name: 'x' } }] }],
  ])('reads %s', (_, delta, own) => {
    expect(read(delta)).toEqual(piece(own));
    expect(readChunk({ choices: [{ message: delta }] } as never)).toEqual(piece({ isWhole: true, ...own }));
  });

  it.each(['stop', 'tool_calls', 'function_call', 'end_turn'])('reads the finish reason %s', (finish_reason) => {
    expect(read({}, { finish_reason })).toEqual(piece({ finish: finish_reason }));
  });

  it.each([
    'length',
    'content_filter',
    'MAX_TOKENS',
    'model_context_window_exceeded',
    'content_filter: RECITATION',
    'sensitive',
  ])('takes an answer that ends by %s for one that is cut off', (finish_reason) => {
    const failure = new ModelError(`Incomplete response returned, reason: ${finish_reason}`, false);
    expect(read({ content: 'a' }, { finish_reason })).toEqual(piece({ text: 'a', finish: finish_reason, failure }));
  });

  it.each(['error', 'network_error', 'insufficient_system_resource', 'abort'])(
    'takes an answer that ends by %s for one that broke off',
    (finish_reason) => {
      const { failure } = read({}, { finish_reason });
      expect(failure).toMatchObject({ retryable: true, message: expect.stringContaining(finish_reason) });
    },
  );

  it('throws an error of the chunk or of its choice', () => {
    const chunk = { error: { message: 'overloaded' }, choices: [{ delta: { content: 'a' }, finish_reason: 'error' }] };
    expect(() => readChunk(chunk as never)).toThrow('stream disconnected before completion: overloaded');
    expect(() => read({}, { error: { message: 'of the provider', code: 502 } })).toThrow('of the provider');
    expect(() => readChunk({ error: 'plain' })).toThrow('plain');
  });
});
