import { withoutEndSlash } from '../../../src/streams/text/withoutEndSlash';

describe('withoutEndSlash', () => {
  it.each([
    ['https://a/b', 'https://a/b'],
    ['https://a/b/', 'https://a/b'],
    ['a//b//', 'a//b'],
    ['//', ''],
    ['', ''],
  ])('of %s is %s', (address, rest) => {
    expect(withoutEndSlash(address)).toBe(rest);
  });

  it('needs no more than a moment for a million slashes', () => {
    const long = `https://a${'/'.repeat(1_000_000)}b`; // a search from each slash takes minutes
    expect(withoutEndSlash(long)).toBe(long);
  });
});
