import fc from 'fast-check';
import { toMs, toSource } from '../../../src/tapes/import/fromRollout';

describe('toSource', () => {
  it('has the objects by their lines, and a problem for each other line that is not blank', () => {
    expect(toSource(['{"a":1}', '', ' ', 'x', '[1]', '{"b":2}'])).toEqual({
      source: [
        { lineNumber: 1, value: { a: 1 } },
        { lineNumber: 6, value: { b: 2 } },
      ],
      problems: [
        { lineNumber: 4, reason: 'is not a JSON object' },
        { lineNumber: 5, reason: 'is not a JSON object' },
      ],
    });
  });
});

describe('toMs', () => {
  const ms = Date.UTC(2026, 0, 1);
  it.each([
    ['2026-01-01T00:00:00Z', ms],
    [ms / 1_000, ms],
    [ms, ms],
    [ms * 1_000, ms],
    [ms * 1_000_000, ms],
    ['no time', undefined],
    [1e300, undefined],
    [Number.NaN, undefined],
    [null, undefined],
    [undefined, undefined],
  ])('of %j is %j', (time, expected) => {
    expect(toMs(time)).toBe(expected);
  });

  it('is always a time that a Date can hold', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.string()), (time) => {
        const read = toMs(time);
        if (read !== undefined) expect(Number.isNaN(new Date(read).getTime())).toBe(false);
      }),
    );
  });
});
