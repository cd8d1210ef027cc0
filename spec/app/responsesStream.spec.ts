import { sampleMessage, toResponsesStream } from '../../src/app/responsesStream';

const events = (text: string): string[] => text.split('\n\n').filter(Boolean);
const dataOf = (event: string) => JSON.parse(event.replace(/^event: .*\ndata: /, ''));

describe('toResponsesStream', () => {
  it('has the item between the begin and the end of the response', () => {
    const item = sampleMessage('hi');
    const all = events(toResponsesStream(item)).map(dataOf);
    expect(all.map(({ type }) => type)).toEqual([
      'response.created',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(all[1].item).toEqual({
      type: 'message',
      role: 'assistant',
      id: 'msg_1',
      content: [{ type: 'output_text', text: 'hi' }],
    });
    expect(all[2].response.usage.total_tokens).toBe(2);
  });

  it('has the pieces of its text before it, in their order, after the empty item', () => {
    const text = toResponsesStream(sampleMessage('hi'), ['h', 'i']);
    const all = events(text).map(dataOf);
    expect(all[1]).toMatchObject({ type: 'response.output_item.added', item: { id: 'msg_1', content: [] } });
    expect(all.slice(2, 4)).toMatchObject([
      { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'h' },
      { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'i' },
    ]);
    expect(text).toMatch(/^event: response\.created\ndata: \{/);
  });
});
