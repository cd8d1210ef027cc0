import fc from 'fast-check';
import { cutBytes } from '../../../src/streams/bytes/cutBytes';

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
  });
});
