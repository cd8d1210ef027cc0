import { durationOf } from '../../../src/tapes/page/format';

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
