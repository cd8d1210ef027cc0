import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { toUri } from '../../src/executor/toUri';

describe('toUri', () => {
  it.each([
    ['/', 'file:///'],
    ['/a b/ü', 'file:///a%20b/%C3%BC'],
    ['/50%/a#b?c', 'file:///50%25/a%23b%3Fc'],
    ['/a\\b\n', 'file:///a%5Cb%0A'],
  ])('of %j is %s', (path, uri) => {
    expect(toUri(path)).toBe(uri);
  });

  it('can be read back', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/^\.{0,2}$|[/\0]/.test(text));
    fc.assert(
      fc.property(fc.array(name), (names) =>
        expect(fileURLToPath(toUri(`/${names.join('/')}`))).toBe(`/${names.join('/')}`),
      ),
    );
  });
});
