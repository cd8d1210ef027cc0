import fc from 'fast-check';
import {
  applyWrites,
  endOfTape,
  isWrite,
  joinWrites,
  sizeAfter,
  toWrite,
  toWriteHeaders,
} from '../../../src/fleet/tapes/tapeWrites';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));
const write = (at: number, text: string) => ({ at, bytes: bytesOf(text) });
const shown = ({ at, bytes }: { at: number; bytes: Uint8Array }) => `${at}:${Buffer.from(bytes)}`;
const messageOf = (at: number, text: string, size: number) => ({
  data: bytesOf(text),
  headers: toWriteHeaders(write(at, text), size),
});

describe('joinWrites', () => {
  it('joins what follows, leaves a write before the end by itself, cuts what is long', () => {
    const writes = [write(0, 'ab'), write(2, 'c'), write(0, 'X'), write(3, 'defgh')];
    expect(joinWrites(writes, 3).map(shown)).toEqual(['0:abc', '0:X', '3:def', '6:gh']);
    expect(joinWrites([], 3)).toEqual([]);
  });

  it('makes the same tape of any writes', () => {
    const piece = fc.record({ text: fc.string({ minLength: 1, maxLength: 5 }), back: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(piece), fc.integer({ min: 1, max: 6 }), (pieces, maxBytes) => {
        let size = 0;
        const writes = pieces.map(({ text, back }) => {
          const one = write(Math.max(0, size - back), text);
          size = sizeAfter(size, one);
          return one;
        });
        const joined = joinWrites(writes, maxBytes);
        expect(Buffer.from(applyWrites(joined))).toEqual(Buffer.from(applyWrites(writes)));
        expect(joined.every(({ bytes }) => bytes.length <= maxBytes)).toBe(true);
      }),
    );
  });
});

describe('applyWrites', () => {
  it('writes over what is there, also beyond its end', () => {
    expect(Buffer.from(applyWrites([write(0, 'abc'), write(1, 'XYZ')])).toString()).toBe('aXYZ');
    expect(applyWrites([])).toEqual(new Uint8Array());
  });

  it('names the bytes that are missing', () => {
    expect(() => applyWrites([write(0, 'ab'), write(5, 'c')])).toThrow(
      /^bytes 2 to 4 are missing: the server has removed them .* Record the session again/,
    );
  });
});

describe('toWrite', () => {
  it('is what the message was made of', () => {
    expect(shown(toWrite(messageOf(7, 'ab', 9)))).toBe('7:ab');
  });
});

describe('endOfTape', () => {
  it.each([
    ['a new tape', undefined, 0, false],
    ['whole lines', messageOf(3, 'ab\n', 6), 6, false],
    ['a line that was cut off', messageOf(3, 'ab', 5), 5, true],
    ['a write before the end', messageOf(0, 'ab', 9), 9, false],
  ])('of %s', (_, last, size, isCutOff) => {
    expect(endOfTape(last)).toEqual({ size, isCutOff });
  });
});

describe('isWrite', () => {
  it.each([
    [{ 'Codex-Rx-At': '0' }, true],
    [{ 'Codex-Rx-At': '9', 'Codex-Rx-Size': '12' }, true],
    [{ 'Codex-Rx-At': '9', 'Codex-Rx-Size': 'all' }, false],
    [{ 'Codex-Rx-At': '9007199254740993' }, false],
    [{}, false],
  ])('%j: %s', (headers, expected) => {
    expect(isWrite({ headers })).toBe(expected);
  });
});
