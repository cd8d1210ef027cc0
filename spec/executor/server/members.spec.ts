import fc from 'fast-check';
import { toBytes, toWaitMs } from '../../../src/executor/server/members';

describe('toBytes', () => {
  it('reads all bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const { buffer, byteOffset, length } = toBytes(Buffer.from(bytes).toString('base64'));
        expect(new Uint8Array(buffer, byteOffset, length)).toEqual(bytes);
      }),
    );
  });

  it.each([
    ['a', 'Invalid padding'],
    ['a*==', 'Invalid symbol 42, offset 1.'],
  ])('refuses %s', (text, message) => {
    expect(() => toBytes(text)).toThrow(message);
  });
});

describe('toWaitMs', () => {
  it('is no longer than a timer can wait for', () => {
    expect([5, 2 ** 40].map(toWaitMs)).toEqual([5, 1_073_741_823]);
  });
});
