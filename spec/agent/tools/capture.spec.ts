import fc from 'fast-check';
import { type Captured, capture, nothingCaptured, toText } from '../../../src/agent/tools/commandOutcome';
import { cuts, tokenize } from '../../support/streams';

const captured = (chunks: readonly Uint8Array[], maxBytes: number): Captured =>
  chunks.reduce((kept, chunk) => capture(kept, chunk, maxBytes), nothingCaptured());

const textOf = (words: readonly string[], maxBytes: number): string =>
  toText(
    captured(
      words.map((word) => Buffer.from(word)),
      maxBytes,
    ),
  );

describe('capture', () => {
  it('keeps all up to the limit', () => {
    expect(textOf([], 8)).toBe('');
    expect(textOf(['abcd', 'efgh'], 8)).toBe('abcdefgh');
    expect(textOf(['é'.repeat(4)], 8)).toBe('éééé');
  });

  it('keeps the first half and the newest, and states how much lies between', () => {
    const block = (letter: string) => letter.repeat(2048);
    expect(textOf([...'abcdefgh'].map(block), 8192)).toBe(
      `${block('a')}${block('b')}\n[... 8192 bytes of output left out ...]\n${block('g')}${block('h')}`,
    );
  });

  it('lets whole pieces go, so that one more than the half may stay', () => {
    const words = ['x'.repeat(4000), 'y'.repeat(3000), 'z'.repeat(3000)];
    expect(
      captured(
        words.map((word) => Buffer.from(word)),
        8000,
      ),
    ).toMatchObject({ tailBytes: 6000, lost: 0 });
    expect(textOf([...words, 'last'], 8000)).toBe(`${words.join('')}last`);
    expect(textOf([...words, 'last'.repeat(250)], 8000)).toBe(
      `${words[0]}\n[... 3000 bytes of output left out ...]\n${words[2]}${'last'.repeat(250)}`,
    );
  });

  it('joins small chunks: a million single bytes are a few pieces', () => {
    const one = Buffer.from('x');
    const kept = nothingCaptured();
    for (let i = 0; i < 1_000_000; i += 1) capture(kept, one, 100_000);
    expect(kept.head.length + kept.tail.length).toBeLessThan(60);
    expect(kept.headBytes + kept.tailBytes + kept.lost).toBe(1_000_000);
    expect(kept.tailBytes).toBeLessThanOrEqual(50_000 + 2048);
  });

  it('keeps true count, beginning and end, however the output is cut', () => {
    const bytes = fc.uint8Array({ maxLength: 9000, size: 'max' }).map((all) => Buffer.from(all));
    fc.assert(
      fc.property(bytes, cuts, fc.constantFrom(100, 1000, 6000), (whole, places, maxBytes) => {
        const { head, tail, headBytes, tailBytes, lost } = captured(tokenize(whole, places), maxBytes);
        const [start, end] = [Buffer.concat(head), Buffer.concat(tail)];
        expect([start.length, end.length, start.length + end.length + lost]).toEqual([
          headBytes,
          tailBytes,
          whole.length,
        ]);
        expect(whole.subarray(0, headBytes).equals(start)).toBe(true);
        expect(whole.subarray(whole.length - tailBytes).equals(end)).toBe(true);
        if (lost > 0) expect(Math.min(headBytes, tailBytes)).toBeGreaterThanOrEqual(maxBytes / 2);
        if (whole.length <= maxBytes) expect(lost).toBe(0);
      }),
    );
  });
});

describe('toText', () => {
  it('puts a sign in the place of bytes that are no text', () => {
    const chunks = [Buffer.from([0x61, 0xff]), Buffer.from([0xc3]), Buffer.from([0xa9])];
    expect(toText(captured(chunks, 8))).toBe('a\ufffdé');
  });
});
