import fc from 'fast-check';
import { fromBase64, toBase64 } from '../../../src/executor/server/base64';

describe('base64', () => {
  it('is read as it was written, also from a view into more bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (bytes, before) => {
        const view = Buffer.concat([before, bytes]).subarray(before.length);
        expect(fromBase64(toBase64(view))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it.each([
    ['', Buffer.from('')],
    ['YQ==', Buffer.from('a')],
    ['YQ', 'Invalid padding'],
    ['YQ=', 'Invalid padding'],
    ['Y===', 'Invalid padding'],
    ['====', 'Invalid padding'],
    ['YQ-=', 'Invalid symbol 45, offset 2.'],
    ['YQ==\n', 'Invalid symbol 10, offset 4.'],
  ])('reads %j strictly', (text, expected) => {
    expect(fromBase64(text)).toEqual(expected);
  });
});
