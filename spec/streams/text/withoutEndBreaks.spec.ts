import { withoutEndBreaks } from '../../../src/streams/text/withoutEndBreaks';

describe('withoutEndBreaks', () => {
  it.each([
    ['', ''],
    ['a', 'a'],
    ['a\n', 'a'],
    ['a\r\n\n', 'a'],
    ['a\nb \n', 'a\nb '],
    ['\n', ''],
  ])('of %j is %j', (text, rest) => {
    expect(withoutEndBreaks(text)).toBe(rest);
  });

  it('needs no more than a moment for a million line breaks', () => {
    const long = `a${'\n'.repeat(1_000_000)}b`; // a search from each of them takes minutes
    expect(withoutEndBreaks(long)).toBe(long);
  });
});
