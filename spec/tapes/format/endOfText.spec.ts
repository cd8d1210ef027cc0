import { isEnd, openTexts } from '../../../src/tapes/format/endOfText';

const event = (msg: object, meta: object = {}) => ({ method: 'codex/event', params: { _meta: meta, id: '1', msg } });
const response = { id: 1, result: {} };

describe('isEnd', () => {
  it.each<[string, unknown]>([
    ['a response', response],
    ['an error', { id: 1, error: {} }],
    ['a method', { method: 'item/completed', params: {} }],
    ['an event of Codex', event({ type: 'task_complete' })],
    ['a whole text', event({ type: 'agent_message' })],
    ['an event of the Responses API', { type: 'response.output_text.done' }],
  ])('is true for %s', (_, message) => expect(isEnd(message)).toBe(true));

  it.each<[string, unknown]>([
    ['a request', { id: 1, method: 'ping' }],
    ['a log record', { method: 'notifications/message', params: {} }],
    ['another method', { method: 'item/started', params: {} }],
    ['another event', event({ type: 'task_started' })],
    ['what is no message', 'end'],
  ])('is false for %s', (_, message) => expect(isEnd(message)).toBe(false));
});

describe('openTexts', () => {
  const isOpenAfter = (end: unknown, one: unknown, dir = 'out'): boolean => {
    const open = openTexts();
    open.add('k', { dir: 'out', message: one });
    open.end({ dir, message: end });
    return open.has('k');
  };
  const piece = { method: 'item/agentMessage/delta', params: { threadId: 't', itemId: 'a', delta: 'x' } };
  const called = event({ type: 'exec_command_output_delta', call_id: 'c', chunk: '' }, { requestId: 1 });

  it.each<[string, unknown, unknown]>([
    ['another item', { method: 'item/completed', params: { threadId: 't', item: { id: 'b' } } }, piece],
    ['another item of the Responses API', { type: 'response.output_text.done', item_id: 'b' }, { item_id: 'a' }],
    ['another thread', { method: 'turn/completed', params: { threadId: 'u' } }, piece],
    ['another command', event({ type: 'exec_command_end', call_id: 'd' }), called],
    ['another process', { method: 'process/exited', params: { processId: 'q' } }, { params: { processId: 'p' } }],
    ['another request', { id: 2, result: {} }, called],
    ['the same number as text', { id: '1', result: {} }, called],
  ])('keeps a text open at the end of %s', (_, end, open) => expect(isOpenAfter(end, open)).toBe(true));

  it.each<[string, unknown, unknown]>([
    ['of its item', { method: 'item/completed', params: { threadId: 't', item: { id: 'a' } } }, piece],
    ['of its thread', { method: 'turn/completed', params: { threadId: 't' } }, piece],
    ['of its request', { id: 1, result: {} }, called],
    ['of nothing that is named', { method: 'done' }, piece],
    ['of what a text does not name', { id: 9, result: {} }, piece],
    ['of an item without an id', { method: 'item/completed', params: { item: null } }, piece],
    ['of anything, for a text that names nothing', response, { method: 'x/delta', params: { delta: 'x' } }],
  ])('ends a text at the end %s', (_, end, over) => expect(isOpenAfter(end, over)).toBe(false));

  it('keeps a text open at a response in the other direction, even of the same id', () => {
    expect([isOpenAfter(response, called, 'in'), isOpenAfter(response, called, 'out')]).toEqual([true, false]);
  });

  it('has none at first, and none when all end', () => {
    const open = openTexts();
    expect(open.has('k')).toBe(false);
    open.add('k', { dir: 'out', message: piece });
    open.end();
    expect(open.has('k')).toBe(false);
  });
});
