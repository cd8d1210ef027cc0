import { isTimerSeam, timerSeam } from '../../src/tape/timerSeam';

describe('isTimerSeam', () => {
  it.each([
    [timerSeam(10_000), true],
    ['timers', false],
    ['model', false],
  ])('of %s is %j', (seam, expected) => {
    expect(isTimerSeam(seam)).toBe(expected);
  });
});
