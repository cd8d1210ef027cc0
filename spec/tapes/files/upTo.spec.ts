import { maxBytes, upTo } from '../../../src/tapes/files/tapesIn';
import { TapeError } from '../../../src/tapes/format/tape';
import { marbles } from '../../support/marbles';

const chunks = { a: Buffer.alloc(400_000), b: Buffer.alloc(600_000), c: Buffer.alloc(1) };

describe('upTo', () => {
  it.each([
    ['passes what is within the limit', '-a-b-|', '-a-b-|'],
    ['errors at the chunk that goes beyond it', '-a-b-c-a-|', '-a-b-#'],
    ['errors with the source', '-a-#', '-a-#'],
  ])('%s', (name, source, expected) =>
    marbles(({ cold, expectObservable }) => {
      const text =
        'tape.jsonl is larger than the 1 MB that can be worked on at once; cut it at a line, as split -C 200M does';
      const error = name.includes('source') ? 'error' : new TapeError(text);
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
