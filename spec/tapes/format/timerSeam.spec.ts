import { isTimerSeam, timerSeam } from '../../../src/tapes/format/timerSeam';

describe('isTimerSeam', () => {
  it.each([
    [timerSeam(10_000), true],
    ['timers', false],
    ['model', false],
  ])('of %s is %j', (seam, expected) => {
    expect(isTimerSeam(seam)).toBe(expected);
  });
});
