import { maxBytes, tooLarge, upTo } from '../../../src/tapes/files/tapesIn';
import { marbles } from '../../support/marbles';

const lines = Buffer.from('x\n'.repeat(10_000));
const chunks = { a: Buffer.alloc(400_000), b: Buffer.alloc(600_000), c: Buffer.alloc(1), l: lines };

describe('upTo', () => {
  it.each([
    ['passes what is within the limit', '-a-b-|', '-a-b-|'],
    ['errors at the chunk that goes beyond it', '-a-b-c-a-|', '-a-b-#'],
    ['errors at lines that take more memory than their bytes', '-l-|', '-#'],
    ['errors with the source', '-a-#', '-a-#'],
  ])('%s', (name, source, expected) =>
    marbles(({ cold, expectObservable }) => {
      const error = name.includes('source') ? 'error' : tooLarge('tape.jsonl');
      expectObservable(cold<Uint8Array>(source, chunks).pipe(upTo(1_000_000, 'tape.jsonl'))).toBe(
        expected,
        chunks,
        error,
      );
    })(),
  );

  it('is below the longest text there can be', () => {
    expect(maxBytes()).toBeGreaterThan(10_000_000);
    expect(maxBytes()).toBeLessThan(2 ** 29);
  });
});
