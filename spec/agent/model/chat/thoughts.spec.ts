import { addThoughts, keptOf, thoughtOf } from '../../../../src/agent/model/chat/thoughts';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';

const keptOfAll = (...pieces: JsonObject[]) =>
  pieces.reduce((thoughts, piece) => addThoughts(thoughts, keptOf(piece, thoughtOf(piece))), {});

describe('thoughts', () => {
  it('joins the pieces of a block up to its signature, as OpenRouter sends them', () => {
    const text = (own: object) => ({ type: 'reasoning.text', index: 0, format: 'anthropic-claude-v1', ...own });
    const kept = keptOfAll(
      { reasoning: 'I ', reasoning_details: [text({ text: 'I ', signature: null })] },
      { reasoning: 'think', reasoning_details: [text({ text: 'think' })] },
      { reasoning_details: [text({ signature: 'SIG' })] },
      { reasoning_details: [text({ text: 'again' }), { type: 'reasoning.encrypted', index: 0, data: 'x' }] },
      { reasoning_details: [{ type: 'reasoning.encrypted', index: 0, data: 'y' }] },
    );
    expect(kept).toEqual({
      reasoning: 'I think',
      reasoning_details: [
        text({ text: 'I think', signature: 'SIG' }),
        text({ text: 'again' }),
        { type: 'reasoning.encrypted', index: 0, data: 'x' },
        { type: 'reasoning.encrypted', index: 0, data: 'y' },
      ],
    });
  });

  it('keeps the blocks of LiteLLM, and blocks with different indexes apart', () => {
    const block = (own: object) => ({ type: 'thinking', ...own });
    const kept = keptOfAll(
      { reasoning_content: 'a', thinking_blocks: [block({ thinking: 'a', signature: '' })] },
      { reasoning_content: '', thinking_blocks: [block({ thinking: '', signature: 'SIG' })] },
      { thinking_blocks: [block({ thinking: 'b', index: 1 }), block({ thinking: 'c', index: 2 })] },
    );
    expect(kept).toEqual({
      reasoning_content: 'a',
      thinking_blocks: [
        block({ thinking: 'a', signature: 'SIG' }),
        block({ thinking: 'b', index: 1 }),
        block({ thinking: 'c', index: 2 }),
      ],
    });
  });

  it('shows thoughts that come in blocks only', () => {
    expect(thoughtOf({ reasoning_details: [{ text: 'a' }, { summary: 'b' }, { data: 'x' }] })).toBe('ab');
  });
});
