import fc from 'fast-check';
import { clip } from '../../../src/streams/text/clip';

describe('clip', () => {
  it.each([
    ['', ''],
    ['abc', 'abc'],
    ['abcd', 'abc…'],
    ['ab\u{1F600}', 'ab…'],
  ])('cuts %j to %j', (text, expected) => {
    expect(clip(text, 3)).toBe(expected);
  });

  it('keeps a short text, and the beginning of a long one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, max) => {
        const cut = clip(text, max);
        expect(cut.length).toBeLessThanOrEqual(max + 1);
        expect(text.startsWith(cut.replace(/…$/, ''))).toBe(true);
        if (text.length <= max) expect(cut).toBe(text);
      }),
    );
  });
});
