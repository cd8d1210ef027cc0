import { from, lastValueFrom, map, toArray } from 'rxjs';
import { decodeResponses } from '../../../../src/agent/model/responses/decodeResponses';
import type { ModelEvent } from '../../../../src/protocol/model/events';

const begun = (output_index: unknown, item: object) => ({ type: 'response.output_item.added', output_index, item });
const delta = (text: string, item_id = 'm') => ({ type: 'response.output_text.delta', item_id, delta: text });
const done = (item: object, own: object = {}) => ({ type: 'response.output_item.done', item, ...own });
const end = (own: object = {}) => ({ type: 'response.completed', response: { id: 'r', status: 'completed', ...own } });

const message = (text: string, id: string | null = 'm') => ({
  type: 'message',
  id,
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});
const call = { type: 'function_call', id: 'f', call_id: 'c', name: 'shell', arguments: '{}' };
const custom = { type: 'custom_tool_call', id: 'k', call_id: 'c', name: 'apply_patch', input: '' };
const [opened, called] = [begun(0, { type: 'message', id: 'm' }), begun(0, { type: 'function_call', id: 'f' })];

const at0 = (event: object) => ({ ...event, output_index: 0 });

const eventsOf = (...events: unknown[]): Promise<ModelEvent[]> =>
  lastValueFrom(
    from(events).pipe(
      map((event) => [JSON.stringify(event)]),
      decodeResponses({ newId: () => 'call_new' }),
      toArray(),
    ),
  );

/** The items of an answer, a message by its text, a call by its arguments, and other events than deltas by their kind. */
const itemsOf = async (...events: unknown[]): Promise<unknown[]> =>
  (await eventsOf(...events, end())).flatMap((event) => {
    if (event.kind !== 'item') return ['text', 'reasoning', 'completed'].includes(event.kind) ? [] : [event.kind];
    const { item } = event;
    if (item.type === 'message') return item.content.map((part) => 'text' in part && part.text).join('|');
    return item.type === 'function_call' ? item.arguments : item.type === 'custom_tool_call' ? item.input : item.type;
  });

describe('decodeResponses of items without an end', () => {
  it('emits a message that a call leaves open, before the call, with its id and role', async () => {
    expect(await itemsOf(opened, delta('I '), delta('look.'), called, done(call))).toEqual(['I look.', '{}']);
    const [, closed, found] = await eventsOf(opened, delta('a'), called, done(call), end());
    expect([closed, found]).toEqual([
      { kind: 'item', item: message('a') },
      { kind: 'item', item: call },
    ]);
  });

  it.each<[string, object[], string[]]>([
    ['once, though its own end comes later', [opened, delta('a'), called, done(message('a')), done(call)], ['a', '{}']],
    ['that has ended', [opened, delta('a'), done(message('a')), called, done(call)], ['a', '{}']],
    ['that ended without an id', [opened, delta('a'), done(message('a', null)), done(message('b', null))], ['a', 'b']],
    ['without a text', [opened, called, done(call)], ['{}']],
    ['of the deltas alone', [delta('a'), delta('b')], ['ab']],
    ['of deltas without an id', [{ type: 'response.output_text.delta', delta: 'a' }, done(message('a'))], ['a']],
    ['of its whole text', [{ type: 'response.output_text.done', item_id: 'm', text: 'a' }], ['a']],
    [
      'of its deltas and its whole text',
      [delta('a'), { type: 'response.output_text.done', item_id: 'm', text: 'a' }],
      ['a'],
    ],
    ['of a whole part', [{ type: 'response.content_part.done', part: { type: 'output_text', text: 'a' } }], ['a']],
    ['of a refusal', [{ type: 'response.refusal.delta', item_id: 'm', delta: 'no' }], ['no']],
    ['of two parts', [delta('a'), { ...delta('b'), content_index: 1 }], ['a|b']],
    ['that ends without its text', [delta('a'), done({ ...message('a'), content: [] })], ['a']],
    ['that ends with an empty text', [delta('a'), done(message(''))], ['a']],
    [
      'that ends before its whole text comes',
      [done(message('a')), { type: 'response.output_text.done', text: 'a' }],
      ['a'],
    ],
    ['that thoughts interrupt', [opened, delta('a'), begun(1, { type: 'reasoning', id: 'r' })], ['a']],
    [
      'whose id is another in each event, as GitHub Copilot sends it',
      [opened, at0(delta('a', 'x')), at0(delta('b', 'y')), done(message('ab', 'z'), { output_index: 0 })],
      ['ab'],
    ],
    [
      'whose id is another in each event, and that does not end',
      [opened, at0(delta('a', 'x')), at0(delta('b', 'y'))],
      ['ab'],
    ],
    [
      'and another under the same place',
      [opened, at0(delta('a')), begun(0, { type: 'message', id: 'n' }), at0(delta('b', 'n')), at0(delta('c'))],
      ['ac', 'b'],
    ],
    ['beside a call that ended', [opened, delta('a'), begun(1, call), done(call)], ['{}', 'a']],
  ])('emits a message %s', async (_, events, items) => {
    expect(await itemsOf(...events)).toEqual(items);
  });

  it.each<[string, object[], string[]]>([
    [
      'of the pieces of its arguments',
      [
        begun(0, { ...call, arguments: '' }),
        { type: 'response.function_call_arguments.delta', item_id: 'f', delta: '{1}' },
      ],
      ['{1}'],
    ],
    [
      'of its whole arguments',
      [
        begun(0, { ...call, arguments: '' }),
        { type: 'response.function_call_arguments.done', item_id: 'f', arguments: '{1}' },
      ],
      ['{1}'],
    ],
    [
      'that ends without its arguments',
      [
        begun(0, { ...call, arguments: '' }),
        { type: 'response.function_call_arguments.delta', item_id: 'f', delta: '{1}' },
        done({ ...call, arguments: '' }),
      ],
      ['{1}'],
    ],
    [
      'that ends without arguments',
      [
        begun(0, { ...call, arguments: '' }),
        { type: 'response.function_call_arguments.delta', item_id: 'f', delta: '{"x":1}' },
        done({ ...call, arguments: '{}' }),
      ],
      ['{"x":1}'],
    ],
    [
      'that ends without its name',
      [begun(0, { ...call, arguments: '' }), done({ ...call, name: undefined, arguments: '{1}' })],
      ['{1}'],
    ],
    [
      'of a free-form tool',
      [begun(0, custom), { type: 'response.custom_tool_call_input.delta', item_id: 'k', delta: 'x' }],
      ['x'],
    ],
    ['of a name alone', [begun(0, call)], ['{}']],
  ])('emits a call %s', async (_, events, items) => {
    expect(await itemsOf(...events)).toEqual(items);
  });

  it('reports a call whose name never came', async () => {
    expect(await itemsOf({ type: 'response.function_call_arguments.delta', item_id: 'f', delta: '{}' })).toEqual([
      'unknown',
    ]);
  });

  it('gives an id to a call that comes without one, or with an empty one', async () => {
    const none = { id: undefined, call_id: '' };
    const ids = async (...events: unknown[]) =>
      (await eventsOf(...events)).flatMap((event) =>
        event.kind === 'item' ? [(event.item as typeof call).call_id] : [],
      );
    expect(await ids(done({ ...call, ...none }), done({ ...custom, ...none }), end())).toEqual([
      'call_new',
      'call_new',
    ]);
    expect(await ids(done({ ...call, call_id: '' }), end())).toEqual(['f']);
    expect(await ids(end({ output: [{ ...call, ...none }] }))).toEqual(['call_new']);
  });

  it('reports a call with an empty name, which no server takes back', async () => {
    expect(await itemsOf(done({ ...call, name: '' }))).toEqual(['unknown']);
  });

  it('takes thoughts alone for no answer', async () => {
    const thought = { type: 'response.reasoning_text.delta', item_id: 'r', delta: 'hm' };
    expect((await eventsOf(thought, end())).map(({ kind }) => kind)).toEqual(['rawReasoning', 'nothing', 'completed']);
  });

  it.each<[string, object[], object[], number]>([
    ['that no event ended', [done(message('a'))], [message('a'), call], 2],
    ['once, though it has another id there', [done(call)], [{ ...call, id: 'other', call_id: 'other' }], 1],
    ['instead of its deltas', [delta('a')], [message('a', 'other')], 1],
    ['of which only the deltas have the text', [delta('a')], [{ ...message('a'), content: [] }], 1],
  ])('emits an item of the whole response %s', async (_, events, output, count) => {
    const items = (await eventsOf(...events, end({ output }))).filter(({ kind }) => kind === 'item');
    expect(items).toHaveLength(count);
    expect(JSON.stringify(items)).not.toContain('"content":[]');
  });
});

describe('decodeResponses of a whole response', () => {
  it('reads what a server sends instead of events, or that it failed', async () => {
    const whole = { object: 'response', id: 'r', status: 'completed', output: [message('a'), call] };
    expect((await eventsOf(whole)).map(({ kind }) => kind)).toEqual(['item', 'item', 'completed']);
    const failed = { ...whole, status: 'failed', error: { message: 'GPU out of memory' } };
    await expect(eventsOf(failed)).rejects.toThrow('GPU out of memory');
  });
});

describe('decodeResponses of errors', () => {
  it.each([
    { error: { message: 'GPU out of memory', code: 500 } },
    { error: 'GPU out of memory' },
    { object: 'error', message: 'GPU out of memory' },
    { detail: 'GPU out of memory' },
    { type: 'response.error', error: { message: 'GPU out of memory' } },
    { type: 'error', error: { error: { message: 'GPU out of memory' } } },
    { type: 'response.failed', response: { error: { detail: 'GPU out of memory' } } },
    { code: 503, msg: 'GPU out of memory' },
  ])('errors with what the server reports: %j', async (event) => {
    await expect(eventsOf(delta('a'), event)).rejects.toThrow('GPU out of memory');
  });

  it.each([
    { message: 'GPU out of memory' },
    'Error: GPU out of memory',
    { type: 'response.in_progress', response: { error: { message: 'GPU out of memory' } } },
  ])('errors with what the server wrote last, if the answer is not whole: %j', async (event) => {
    await expect(eventsOf(delta('a'), event)).rejects.toThrow(
      /closed before response.completed; the server wrote: .*GPU out of memory/,
    );
  });
});
