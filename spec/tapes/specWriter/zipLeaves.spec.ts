import { shapeDifference, toPath, zipLeaves } from '../../../src/tapes/specWriter/zipLeaves';

describe('zipLeaves', () => {
  it('gives the first value with other leaves, and keeps the envelope', () => {
    const at: string[] = [];
    const zipped = zipLeaves(
      [
        { id: 1, method: 'm', params: { _meta: { progressToken: 1 }, a: [1, { b: 'x' }], id: 5 } },
        { id: 2, method: 'm', params: { _meta: { progressToken: 2 }, a: [3, { b: 'y' }], id: 6 } },
      ],
      [],
      (leaves, place) => {
        at.push(toPath(place));
        return leaves.join('|');
      },
    );
    expect(zipped).toEqual({
      id: 1,
      method: 'm',
      params: { _meta: { progressToken: 1 }, a: ['1|3', { b: 'x|y' }], id: '5|6' },
    });
    expect(at).toEqual(['message.params.a[0]', 'message.params.a[1].b', 'message.params.id']);
  });
});

describe('shapeDifference', () => {
  it.each<[string, unknown[], unknown]>([
    ['none between values', [{ a: 1 }, { a: 'x' }, { a: null }], undefined],
    [
      'none in the order of members',
      [
        { a: 1, b: 2 },
        { b: 1, a: 2 },
      ],
      undefined,
    ],
    [
      'another length',
      [{ a: [1] }, { a: [1] }, { a: [1, 2] }],
      { place: ['a'], first: 'has 1 item', now: 'has 2 items', other: 2 },
    ],
    ['a missing member', [[{ a: 1 }], [{}]], { place: [0], first: 'has a', now: 'has no a', other: 1 }],
    ['an added member', [{}, { b: 1 }], { place: [], first: 'has no b', now: 'has b', other: 1 }],
    [
      'an object for a value',
      [{ a: 1 }, { a: {} }],
      { place: ['a'], first: 'is a value', now: 'is an object', other: 1 },
    ],
  ])('finds %s', (_, values, difference) => {
    expect(shapeDifference(values)).toEqual(difference);
  });
});
