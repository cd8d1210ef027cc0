import { toBuffer } from '../../../src/streams/bytes/toBuffer';

describe('toBuffer', () => {
  it('has the bytes of a part of some memory, and shares them', () => {
    const bytes = Uint8Array.from([1, 97, 98, 2]).subarray(1, 3);
    const buffer = toBuffer(bytes);
    expect(buffer.toString()).toBe('ab');
    bytes[0] = 99;
    expect(buffer.toString()).toBe('cb');
  });
});
