import { addCalls, type PendingCall, toCallItem } from '../../../../src/agent/model/chat/readChunk';

const piece = (id: string | undefined, index: number | undefined, name?: string, args?: string) => ({
  ...(id !== undefined && { id }),
  ...(index !== undefined && { index }),
  function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
});
const call = (id: string, index: number | undefined, name: string, args: string): PendingCall => ({
  id,
  index,
  name,
  args,
});
const added = (...chunks: unknown[][]) => chunks.reduce<PendingCall[]>(addCalls, []);

describe('addCalls', () => {
  it.each<[string, unknown[][], PendingCall[]]>([
    ['nothing', [[], [7]], []],
    ['a call in one piece', [[piece('a', 0, 'shell', '{}')]], [call('a', 0, 'shell', '{}')]],
    [
      'a call in several pieces',
      [[piece('a', 0, 'shell', '{"x"')], [piece(undefined, 0, undefined, ':1}')]],
      [call('a', 0, 'shell', '{"x":1}')],
    ],
    [
      'what the server wants back with the call',
      [
        [{ ...piece('a', 0, 'shell', '{'), extra_content: { google: { thought_signature: 's' } } }],
        [piece('a', 0, '', '}')],
      ],
      [{ ...call('a', 0, 'shell', '{}'), extra: { google: { thought_signature: 's' } } }],
    ],
    [
      'a free-form call in several pieces',
      [[{ id: 'a', index: 0, custom: { name: 'apply_patch', input: 'x' } }], [{ index: 0, custom: { input: 'y' } }]],
      [{ ...call('a', 0, 'apply_patch', 'xy'), isFreeForm: true }],
    ],
    [
      'pieces of calls beside each other',
      [
        [piece('a', 0, 'one', '1'), piece('b', 1, 'two', '2')],
        [piece(undefined, 0, undefined, '1'), piece(undefined, 1, undefined, '2')],
      ],
      [call('a', 0, 'one', '11'), call('b', 1, 'two', '22')],
    ],
    [
      'pieces without an index',
      [[piece('a', undefined, 'one', '1')], [piece(undefined, undefined, undefined, '2')]],
      [call('a', undefined, 'one', '12')],
    ],
    [
      'another id under the same index as another call',
      [[piece('a', 0, 'one', '1')], [piece('b', 0, 'two', '2')], [piece(undefined, 0, undefined, '3')]],
      [call('a', 0, 'one', '1'), call('b', 0, 'two', '23')],
    ],
    [
      'calls without an id under one index, each whole',
      [[piece('', 0, 'one', '{"x":1}')], [piece('', 0, 'one', '{"x":2}'), piece(undefined, 0, 'two', '{}')]],
      [call('', 0, 'one', '{"x":1}'), call('', 0, 'one', '{"x":2}'), call('', 0, 'two', '{}')],
    ],
    [
      'calls without an id and an index, in pieces that repeat the name',
      [
        [piece(undefined, undefined, 'one', '')],
        [piece(undefined, undefined, 'one', '{"x"'), piece(undefined, undefined, 'one', ':1}')],
        [piece(undefined, undefined, 'one', '{'), piece(undefined, undefined, undefined, '}')],
      ],
      [call('', undefined, 'one', '{"x":1}'), call('', undefined, 'one', '{}')],
    ],
    [
      'an id that comes behind whole arguments',
      [[piece(undefined, 0, 'one', '{}')], [piece('a', 0)]],
      [call('a', 0, 'one', '{}')],
    ],
    [
      'arguments that are an object',
      [[{ index: 0, id: 'a', function: { name: 'one', arguments: { x: [1] } } }]],
      [call('a', 0, 'one', '{"x":[1]}')],
    ],
    [
      'a name in pieces, with its id or without',
      [
        [piece('a', 0, 'sh', '')],
        [piece('a', 0, 'e', '')],
        [piece(undefined, 0, 'll', '')],
        [piece('', 0, undefined, '{}')],
      ],
      [call('a', 0, 'shell', '{}')],
    ],
    [
      'chunks with an id of their own, with the name or without',
      [
        [piece('a', 0, 'one', '{"x"')],
        [piece('b', 0, undefined, ':')],
        [piece('c', 0, 'one', '1}')],
        [piece('d', 0, 'one', '{"x":2}')],
      ],
      [call('a', 0, 'one', '{"x":1}'), call('d', 0, 'one', '{"x":2}')],
    ],
    [
      'arguments after those of nothing',
      [[piece('a', 0, 'one', '{}')], [piece(undefined, 0, undefined, '{"x"')], [piece('a', 0, 'one', ':1}')]],
      [call('a', 0, 'one', '{"x":1}')],
    ],
    [
      'a call that is repeated as a whole, once',
      [[piece('a', 0, 'one', '{"x":')], [piece('a', 0, 'one', '1}')], [piece('a', 0, 'one', '{"x":1}')]],
      [call('a', 0, 'one', '{"x":1}')],
    ],
    [
      'another call under the same id',
      [[piece('one', 0, 'one', '{"x":1}')], [piece('one', 0, 'one', '{"x":2}')]],
      [call('one', 0, 'one', '{"x":1}'), call('one', 0, 'one', '{"x":2}')],
    ],
    [
      'an index that is a text',
      [
        [
          { ...piece('a', 0, 'one', '{'), index: '0' },
          { ...piece('b', 0, 'two', '{'), index: '1' },
        ],
        [
          { ...piece('', 0, '', '}'), index: '0' },
          { ...piece('', 0, '', '}'), index: '1' },
        ],
      ],
      [
        { ...call('a', 0, 'one', '{}'), index: '0' },
        { ...call('b', 0, 'two', '{}'), index: '1' },
      ],
    ],
    ['arguments of null', [[{ index: 0, function: { name: 'one', arguments: null } }]], [call('', 0, 'one', '')]],
  ])('takes %s', (_, chunks, calls) => {
    expect(added(...chunks)).toEqual(calls);
  });

  it('throws at more calls than any model makes', () => {
    const pieces = (count: number) => Array.from({ length: count }, (_, i) => piece(`c${i}`, i, 'one', '{}'));
    expect(added(pieces(1024))).toHaveLength(1024);
    expect(() => added(pieces(1026))).toThrow('an answer of more than 1024 items');
  });

  it('parses long arguments for no name that is repeated, which would take longer with each piece', () => {
    const long = `{"x":"${'y'.repeat(262_144)}"}`;
    expect(added([piece(undefined, 0, 'one', long)], [piece(undefined, 0, 'one', '')])).toHaveLength(1);
  });

  it('leaves the calls before as they are', () => {
    const before = added([piece('a', 0, 'one', '1')]);
    const copy = structuredClone(before);
    addCalls(before, [piece(undefined, 0, undefined, '2')]);
    expect(before).toEqual(copy);
  });
});

describe('toCallItem', () => {
  it('gives an id and arguments to a call that has none', () => {
    const newId = () => 'new';
    expect(toCallItem(call('', 0, 'one', ''), newId)).toMatchObject({ call_id: 'new', arguments: '{}' });
    expect(toCallItem(call('a', 0, 'one', '1'), newId)).toMatchObject({ call_id: 'a', name: 'one', arguments: '1' });
    expect(toCallItem(call('a', 0, 'functions.one', '1'), newId)).toMatchObject({ name: 'one' });
    const freeForm = toCallItem({ ...call('a', 0, 'one', '1'), isFreeForm: true }, newId);
    expect(freeForm).toEqual({ type: 'custom_tool_call', call_id: 'a', name: 'one', input: '1' });
  });
});
