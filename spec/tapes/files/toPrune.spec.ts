import fc from 'fast-check';
import { type PruneLimits, type StoredTape, toPrune } from '../../../src/cli/tapes/startPruning';

const tape = (name: string, writtenMs: number, bytes = 10): StoredTape => ({
  path: name,
  name,
  bytes,
  writtenMs,
  inode: 0,
});
const TAPES = [tape('c', 300), tape('a', 100), tape('d', 400), tape('b', 200)];
const pruned = (limits: Partial<PruneLimits>, tapes = TAPES): string =>
  toPrune(tapes, { keep: 0, ...limits }, 500)
    .map(({ name }) => name)
    .join('');

describe('toPrune', () => {
  it.each<[string, Partial<PruneLimits>, string]>([
    ['nothing without a limit', {}, ''],
    ['what is older', { maxAgeMs: 250 }, 'ab'],
    ['what is more, the oldest first', { maxCount: 1 }, 'abc'],
    ['what is too much in all', { maxBytes: 25 }, 'ab'],
    ['what is beyond any of the limits', { maxAgeMs: 350, maxCount: 3, maxBytes: 20 }, 'ab'],
    ['nothing of the newest that are kept', { maxCount: 0, keep: 3 }, 'a'],
    ['all', { maxBytes: 0 }, 'abcd'],
  ])('removes %s', (_, limits, names) => {
    expect(pruned(limits)).toBe(names);
  });

  it('takes the first by name for the older of two', () => {
    expect(pruned({ maxCount: 1 }, [tape('b', 1), tape('a', 1)])).toBe('a');
  });

  it('leaves what its limits allow', () => {
    const tapes = fc.array(fc.record({ at: fc.nat(1_000), bytes: fc.nat(100) }), { maxLength: 20 });
    fc.assert(
      fc.property(tapes, fc.nat(20), fc.nat(500), fc.nat(5), (stored, maxCount, maxBytes, keep) => {
        const all = stored.map(({ at, bytes }, i) => tape(`${i}`, at, bytes));
        const removed = new Set(toPrune(all, { maxCount, maxBytes, keep }, 1_000));
        const left = all.filter((one) => !removed.has(one));
        expect(left.length).toBeLessThanOrEqual(Math.max(maxCount, keep));
        expect(left.length).toBeGreaterThanOrEqual(Math.min(keep, all.length));
        if (left.length > keep) expect(left.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(maxBytes);
      }),
    );
  });
});
