import { durationOf, niceStep, toShortCount, toTime } from '../../../src/tapes/page/labels';

describe('toTime', () => {
  it.each([
    [0.123, '0.12 ms'],
    [12.34, '12.3 ms'],
    [1234, '1.23 s'],
    [125_000, '2 min 5 s'],
    [179_600, '3 min 0 s'],
  ])('writes %d as %s', (ms, text) => expect(toTime(ms)).toBe(text));
});

describe('toShortCount', () => {
  it.each([
    [999, '999'],
    [1234, '1.2k'],
    [98_765, '99k'],
  ])('writes %d as %s', (count, text) => expect(toShortCount(count)).toBe(text));
});

describe('niceStep', () => {
  it.each([
    [0.3, 0.5],
    [1, 1],
    [1.1, 2],
    [60, 100],
  ])('takes %d up to %d', (least, step) => expect(niceStep(least)).toBeCloseTo(step));
});

describe('durationOf', () => {
  it.each([
    [0, '0 ms'],
    [999.4, '999 ms'],
    [1_000, '1 s'],
    [3_449, '3.4 s'],
    [60_000, '1 min 0 s'],
    [125_000, '2 min 5 s'],
    [179_600, '3 min 0 s'],
  ])('writes %d ms', (ms, text) => {
    expect(durationOf(ms)).toBe(text);
  });
});
