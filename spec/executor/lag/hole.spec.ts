import { isInHole } from '../../../src/executor/lag/hole';

describe('isInHole', () => {
  it('is true from the first number to the last, and for none without a hole', () => {
    const hole = { from: 3, to: 4 };
    expect([2, 3, 4, 5].filter((seq) => isInHole(hole, seq))).toEqual([3, 4]);
    expect(isInHole(undefined, 3)).toBe(false);
  });
});
