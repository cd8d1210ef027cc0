import fc from 'fast-check';
import { latencyAt, NO_LATENCIES, withLatencies } from '../../../src/tapes/load/latencies';

describe('latencyAt', () => {
  it('is within one percent of the time that this part did not exceed', () => {
    const times = fc.array(fc.double({ min: 0.01, max: 1e7, noNaN: true }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(times, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(300), (all, part, cut) => {
        const counted = withLatencies(withLatencies(NO_LATENCIES, all.slice(0, cut)), all.slice(cut));
        const exact = all.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(all.length * part) - 1)] as number;
        expect(Math.abs((latencyAt(counted, part) as number) / exact - 1)).toBeLessThan(0.0101);
        expect(latencyAt(counted, part)).toBeLessThanOrEqual(counted.maxMs);
      }),
    );
  });

  it('keeps few numbers of many times', () => {
    const times = Array.from({ length: 100_000 }, (_, i) => (i * 7_919) % 3_600_000);
    const counted = withLatencies(NO_LATENCIES, times);
    expect(counted).toMatchObject({ count: 100_000, maxMs: Math.max(...times) });
    expect(counted.buckets.size).toBeLessThan(1_200);
  });

  it('is null without a time, and 0 for times of 0', () => {
    expect(latencyAt(NO_LATENCIES, 0.5)).toBeNull();
    expect(latencyAt(withLatencies(NO_LATENCIES, [0, 0]), 0.999)).toBe(0);
  });
});
