import { NO_PACE } from '../../../src/tapes/specWriter/paceOf';
import { toSessionOptions, toTestLimit } from '../../../src/tapes/specWriter/toSpec';

describe('toSessionOptions', () => {
  it.each([
    [2_500, 500, ''],
    [7_001, 500, ', { limitMs: 27_000 }'],
    [0, 600, ', { settleMs: 3_000 }'],
    [3_000, 1_000, ', { limitMs: 14_000, settleMs: 4_000 }'],
  ])('waits for a server that was silent for %i ms and ended after %i', (silentMs, endMs, options) => {
    expect(toSessionOptions({ ...NO_PACE, silentMs, endMs })).toBe(options);
  });
});

describe('toTestLimit', () => {
  it.each([
    [2_500, 5_000, undefined],
    [2_501, 5_000, '13_000'],
    [60_000, Number.POSITIVE_INFINITY, undefined],
  ])('of a session of %i ms and a limit of %d is %s', (totalMs, defaultMs, limit) => {
    expect(toTestLimit({ ...NO_PACE, totalMs }, defaultMs)).toBe(limit);
  });
});
