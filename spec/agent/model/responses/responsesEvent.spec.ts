import { readResponsesEvent } from '../../../../src/agent/model/responses/responsesEvent';
import { ModelError } from '../../../../src/protocol/model/model';
import { item, messageOf, text } from '../../../support/models';

const read = readResponsesEvent;

const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ab' }] };

const readMessage = item({ ...messageOf('assistant', 'ab'), id: null } as never);

describe('readResponsesEvent', () => {
  it.each([
    ['the text of a message', { type: 'response.output_text.delta', item_id: 'm', delta: 'a' }, text('a', 'm')],
    ['a refusal', { type: 'response.refusal.delta', delta: 'no' }, text('no')],
    ['a text that is none', { type: 'response.output_text.delta', delta: 7 }, undefined],
    [
      'a part of a summary',
      { type: 'response.reasoning_summary_part.added', item_id: 'rs' },
      { kind: 'reasoningBreak', itemId: 'rs' },
    ],
    ['an item', { type: 'response.output_item.done', item: message }, readMessage],
    ['no item', { type: 'response.output_item.done' }, { kind: 'unknown', type: '(none)' }],
    ['an item of no type', { type: 'response.output_item.done', item: {} }, { kind: 'unknown', type: '(none)' }],
    ['an unknown item', { type: 'response.output_item.done', item: { type: 'x' } }, { kind: 'unknown', type: 'x' }],
    [
      'the beginning of a search',
      { type: 'response.output_item.added', item: { type: 'web_search_call', id: 'ws' } },
      { kind: 'search', callId: 'ws' },
    ],
    ['the beginning of an item', { type: 'response.output_item.added', item: message }, undefined],
    [
      'a search for a page',
      { type: 'response.output_item.done', item: { type: 'web_search_call', id: 7, action: { url: 'https://a.b' } } },
      { kind: 'search', callId: '', query: 'https://a.b' },
    ],
    [
      'the end',
      { type: 'response.completed', response: { id: 'r', status: 'completed' } },
      { kind: 'completed', responseId: 'r', usage: null },
    ],
    ['an end without an id', { type: 'response.completed', response: {} }, undefined],
    ['an unknown event', { type: 'response.created', response: { id: 'r' } }, undefined],
  ])('reads %s', (_, event, expected) => {
    expect(read(event)).toEqual(expected);
  });

  it.each([
    ['response.failed', { type: 'response.failed', response: { error: { message: 'out of luck' } } }, /out of luck/],
    ['error', { type: 'error', message: 'bad day' }, /bad day/],
    [
      'an end that is not whole',
      { type: 'response.completed', response: { id: 'r', status: 'failed' } },
      /failed event/,
    ],
    [
      'response.incomplete',
      { type: 'response.incomplete', response: { incomplete_details: { reason: 'content_filter' } } },
      /content_filter/,
    ],
  ])('throws a ModelError for %s', (_, event, words) => {
    expect(() => read(event)).toThrow(ModelError);
    expect(() => read(event)).toThrow(words);
  });
});
