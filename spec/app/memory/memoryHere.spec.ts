import { lastValueFrom } from 'rxjs';
import { memoryHere } from '../../../src/app/memory';

describe('memoryHere', () => {
  it('collects, as often as it is asked to', async () => {
    for (const _ of [1, 2]) {
      const garbage = Array.from({ length: 1_000_000 }, (_, n) => ({ n }));
      const before = memoryHere.heapBytes();
      expect(garbage.splice(0)).toHaveLength(1_000_000);
      await lastValueFrom(memoryHere.collect());
      expect(memoryHere.heapBytes()).toBeLessThan(before);
    }
  });

  it('knows how long the process was busy', async () => {
    const before = memoryHere.busyMs();
    await new Promise(setImmediate);
    for (const end = performance.now() + 20; performance.now() < end; );
    await new Promise(setImmediate);
    expect(memoryHere.busyMs() - before).toBeGreaterThanOrEqual(15);
  });
});
