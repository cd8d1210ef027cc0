import { closeMessages } from '../../../../src/agent/model/responses/decodeResponses';
import { readResponsesEvent } from '../../../../src/agent/model/responses/responsesEvent';

const begun = (output_index: unknown, item: object) =>
  JSON.stringify({ type: 'response.output_item.added', output_index, item });
const delta = (text: string, item_id = 'm') =>
  JSON.stringify({ type: 'response.output_text.delta', item_id, delta: text });
const done = (item: object) => JSON.stringify({ type: 'response.output_item.done', item });

const message = (text: string, id: string | null = 'm') => ({
  type: 'message',
  id,
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});
const call = { type: 'function_call', id: 'f', call_id: 'c', name: 'shell', arguments: '{}' };
const [opened, called] = [begun(0, { type: 'message', id: 'm' }), begun(0, { type: 'function_call', id: 'f' })];

/** The items of a stream, a message by its text, a call by its name. */
const itemsOf = (...lines: string[]): unknown[] =>
  lines.map(closeMessages(readResponsesEvent)).flatMap((event) => {
    if (event?.kind !== 'item') return [];
    return event.item.type === 'message' ? event.item.content.map((part) => 'text' in part && part.text) : 'call';
  });

describe('closeMessages', () => {
  it('emits a message that a call leaves open, before the call', () => {
    expect(itemsOf(opened, delta('I '), delta('look.'), called, done(call))).toEqual(['I look.', 'call']);
  });

  it('gives it its id and role, and leaves all other events as they are', () => {
    const read = closeMessages(readResponsesEvent);
    const events = [opened, delta('a'), called, done(call)].map(read);
    const text = { kind: 'text', itemId: 'm', delta: 'a' };
    expect(events).toEqual([undefined, text, { kind: 'item', item: message('a') }, { kind: 'item', item: call }]);
  });

  it('emits it once, though its own end comes later', () => {
    expect(itemsOf(opened, delta('a'), called, done(message('a')), done(call), called)).toEqual(['a', 'call']);
  });

  it.each([
    ['that has ended', [opened, delta('a'), done(message('a')), called, done(call)], ['a', 'call']],
    [
      'that has ended without an id',
      [opened, delta('a'), done(message('a', null)), done(message('b', null))],
      ['a', 'b'],
    ],
    ['without a text', [opened, called, done(call)], ['call']],
    ['with the text of another', [opened, delta('a', 'n'), called, done(call)], ['call']],
    ['in another place', [opened, delta('a'), begun(1, { type: 'function_call', id: 'f' })], []],
    ['without a place', [begun(undefined, { type: 'message', id: 'm' }), delta('a'), called], []],
    ['that thoughts interrupt', [opened, delta('a'), begun(0, { type: 'reasoning', id: 'r' })], []],
    ['before no item', [opened, delta('a'), begun(0, 7 as never), '{response.output_item.added'], []],
  ])('leaves alone a message %s', (_, lines, items) => {
    expect(itemsOf(...lines)).toEqual(items);
  });
});
