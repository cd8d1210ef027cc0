import { MAX_TIMER_MS, toTimerMs } from '../../../src/streams/time/timerMs';

describe('toTimerMs', () => {
  it.each([
    [0, 0],
    [1_000, 1_000],
    [2_147_483_647, 2_147_483_647],
    [2_147_483_648, 2_147_483_647],
    [Number.POSITIVE_INFINITY, MAX_TIMER_MS],
  ])('cuts %d to what a timer can wait', (ms, waitMs) => {
    expect(toTimerMs(ms)).toBe(waitMs);
  });
});
