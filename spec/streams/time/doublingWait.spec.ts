import { doublingWait } from '../../../src/streams/time/doublingWait';

describe('doublingWait', () => {
  it('doubles from 100 ms to 2 s', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 2_000].map(doublingWait)).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
  });
});
