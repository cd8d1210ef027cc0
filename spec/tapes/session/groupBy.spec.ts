import { groupBy } from '../../../src/tapes/session/groupBy';

describe('groupBy', () => {
  it('keeps the order of the keys and of the items of each', () => {
    expect([...groupBy([3, 1, 4, 1, 5], (n) => (n % 2 === 0 ? 'even' : 'odd'))]).toEqual([
      ['odd', [3, 1, 1, 5]],
      ['even', [4]],
    ]);
  });

  it('has no groups of nothing', () => {
    expect(groupBy([], () => 1).size).toBe(0);
  });
});
