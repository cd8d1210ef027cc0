import fc from 'fast-check';
import { cutBytes, toBuffer } from '../../../src/streams/bytes/toBuffer';

describe('toBuffer', () => {
  it('has the bytes of a part of some memory, and shares them', () => {
    const bytes = Uint8Array.from([1, 97, 98, 2]).subarray(1, 3);
    const buffer = toBuffer(bytes);
    expect(buffer.toString()).toBe('ab');
    bytes[0] = 99;
    expect(buffer.toString()).toBe('cb');
  });
});

describe('cutBytes', () => {
  it('cuts any bytes into pieces that make them again, as few as their length allows', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 1, max: 9 }), (bytes, maxBytes) => {
        const pieces = cutBytes(bytes, maxBytes);
        expect(Buffer.concat(pieces)).toEqual(Buffer.from(bytes));
        expect(pieces.every(({ length }) => length <= maxBytes)).toBe(true);
        expect(pieces).toHaveLength(Math.max(1, Math.ceil(bytes.length / maxBytes)));
      }),
    );
  });

  it('gives one empty piece for nothing', () => {
    expect(cutBytes(new Uint8Array(), 3)).toEqual([new Uint8Array()]);
    expect(cutBytes(Buffer.from('ab'), -1)).toEqual([Buffer.from('ab')]); // a limit that is not known loses nothing
  });
});
