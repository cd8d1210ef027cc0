import { joinedDeltas, messageIn, toNode } from '../../src/page/json';

describe('toNode', () => {
  it('keeps texts, numbers and literals apart from what folds', () => {
    expect([toNode('a'), toNode(1.5), toNode(null), toNode(true)]).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'number', text: '1.5' },
      { kind: 'literal', text: 'null' },
      { kind: 'literal', text: 'true' },
    ]);
    expect(toNode({ a: 1, b: [] })).toEqual({
      ...{ kind: 'branch', open: '{', close: '}', peek: 'a, b' },
      members: [
        ['a', 1],
        ['b', []],
      ],
    });
    expect(toNode([1, 2])).toMatchObject({ open: '[', close: ']', peek: '2 items' });
    expect(toNode({ ['k'.repeat(80)]: 1 })).toMatchObject({ peek: `${'k'.repeat(60)}…` });
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
