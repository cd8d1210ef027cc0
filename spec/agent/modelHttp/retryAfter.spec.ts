import fc from 'fast-check';
import { toRetryAfterMs } from '../../../src/agent/modelHttp/statusFailure';

const NOW = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');
const read = (header: string | string[] | undefined) => toRetryAfterMs(header, () => NOW);

describe('toRetryAfterMs', () => {
  it.each([
    ['2', 2_000],
    [' 0.5 ', 500],
    ['0', 0],
    ['Wed, 21 Oct 2026 07:28:09 GMT', 9_000],
    ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
    [['3', '4'], 3_000],
    ['', undefined],
    [' ', undefined],
    ['soon', undefined],
    ['9'.repeat(400), undefined],
    [[], undefined],
    [undefined, undefined],
  ])('of %j is %j', (header, waitMs) => {
    expect(read(header)).toBe(waitMs);
  });

  it('is never negative and never NaN', () => {
    fc.assert(fc.property(fc.string(), (header) => expect(read(header) ?? 0).toBeGreaterThanOrEqual(0)));
  });
});
