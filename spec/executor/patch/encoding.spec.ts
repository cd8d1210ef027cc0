import fc from 'fast-check';
import { decodeText, encodeText, showText } from '../../../src/executor/patch/encoding';
import { anyText } from '../../support/hostile';

describe('encoding', () => {
  it('keeps a text as it is, a byte order mark too', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(decodeText(encodeText(`\ufeff${text}`))).toBe(`\ufeff${text}`);
        expect(showText(encodeText(`\ufeff${text}`))).toBe(`\ufeff${text}`);
      }),
    );
  });

  it('takes bytes that are no UTF-8 for no text, and shows them as replaced', () => {
    const bytes = new Uint8Array([97, 0xff, 98]);
    expect([decodeText(bytes), showText(bytes), showText()]).toEqual([undefined, 'a\ufffdb', '']);
  });
});
