import { isInHole } from '../../src/executor/hole';

describe('isInHole', () => {
  it('is true between the two events, and for no number without a hole', () => {
    const hole = { after: 2, before: 5 };
    expect([1, 2, 3, 4, 5, 6].filter((seq) => isInHole(hole, seq))).toEqual([3, 4]);
    expect(isInHole(undefined, 3)).toBe(false);
  });
});
