import fc from 'fast-check';
import { byteBatch } from '../../../src/tapes/files/openTape';

describe('byteBatch', () => {
  it('gives what was added, once and in order', () => {
    const sizes = fc.array(fc.array(fc.integer({ min: 0, max: 400_000 }), { maxLength: 4 }), { maxLength: 4 });
    fc.assert(
      fc.property(sizes, (rounds) => {
        const batch = byteBatch();
        for (const round of rounds) {
          const parts = round.map((size, i) => Buffer.alloc(size, i + 1));
          for (const part of parts) batch.add(part);
          const whole = Buffer.concat(parts);
          expect(batch.size()).toBe(whole.length);
          expect(whole.equals(batch.take())).toBe(true);
          expect(batch.size()).toBe(0);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('gives back the memory of a large batch with the next one, and keeps that of a usual one', () => {
    const batch = byteBatch();
    const memoryOf = (bytes: number): ArrayBufferLike => {
      batch.add(Buffer.alloc(bytes));
      return batch.take().buffer;
    };
    expect(memoryOf(3_000_000).byteLength).toBe(3_000_000);
    const usual = memoryOf(1);
    expect(usual.byteLength).toBe(524_288);
    expect(memoryOf(524_288)).toBe(usual);
  });

  it('keeps nothing of the bytes that it got', () => {
    const [batch, bytes] = [byteBatch(), Buffer.from('one')];
    batch.add(bytes);
    bytes.fill('x');
    expect(Buffer.from(batch.take()).toString()).toBe('one');
  });
});
