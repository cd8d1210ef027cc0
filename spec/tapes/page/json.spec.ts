import { joinedDeltas, messageIn, toNode } from '../../../src/tapes/page/json';

describe('toNode', () => {
  it('keeps texts, numbers and literals apart from what folds', () => {
    expect([toNode('a'), toNode(1.5), toNode(null), toNode(true)]).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'number', text: '1.5' },
      { kind: 'literal', text: 'null' },
      { kind: 'literal', text: 'true' },
    ]);
    expect(toNode({ a: 1, b: [] })).toEqual({
      kind: 'branch',
      open: '{',
      close: '}',
      peek: 'a: 1, b: []',
      members: [
        ['a', 1],
        ['b', []],
      ],
    });
    expect(toNode([1, 2])).toMatchObject({ open: '[', close: ']', peek: '2 items: 1, 2' });
    expect(toNode([{ a: 1 }])).toMatchObject({ peek: '{…}' });
    expect(toNode({ t: 'x'.repeat(99), l: [1], o: {}, n: null })).toMatchObject({
      peek: `t: "${'x'.repeat(28)}…", l: [1], o: {}, n: null`,
    });
    expect(toNode({ ['k'.repeat(80)]: 1 })).toMatchObject({ peek: `${'k'.repeat(28)}…: 1` });
    const { peek } = toNode(Array.from({ length: 100_000 }, () => 'long enough')) as { peek: string };
    expect(peek).toMatch(/^100000 items: "long enough", .*…$/);
    expect(peek.length).toBeLessThan(100);
  });
});

describe('messageIn', () => {
  it('reads a line, one message of a batch, and nothing from what is not JSON', () => {
    expect(messageIn('{"a":1}', -1)).toEqual({ a: 1 });
    expect(messageIn('[{"a":1},{"b":2}]', 1)).toEqual({ b: 2 });
    expect(messageIn('{"a"', -1)).toBe(undefined);
  });
});

describe('joinedDeltas', () => {
  it('joins the pieces, wherever they stand', () => {
    const event = (delta: string) => ({ params: { msg: { type: 'agent_message_delta', delta } } });
    expect(joinedDeltas([event('one '), event('two')])).toBe('one two');
    expect(joinedDeltas([{ params: { delta: 'a' } }, {}, { delta: 'b' }])).toBe('ab');
    expect(joinedDeltas([{ params: {} }, 'text', null])).toBe(undefined);
  });
});
