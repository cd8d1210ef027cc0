import fc from 'fast-check';
import { fitsGlob, toGlob } from '../../../src/streams/text/glob';

const fits = (pattern: string, path: string) => fitsGlob(toGlob(pattern), path);

describe('fitsGlob', () => {
  it.each([
    ['a', 'a', true],
    ['a', 'ab', false],
    ['*.js', 'a.js', true],
    ['**/a', 'b/a', true],
    ['**/a', 'a/b', false],
    ['*.js', 'b/a.js', false],
    ['**/*.js', 'b/c/a.js', true],
    ['**/*.js', 'a.js', true],
    ['a/**', 'a/b/c', true],
    ['a/**', 'a', false],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['?b', 'ab', true],
    ['?', '', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[]]', ']', true],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['a*b*c', 'aXbYbZc', true],
    ['*', '', true],
  ])('%s and %s: %s', (pattern, path, expected) => {
    expect(fits(pattern, path)).toBe(expected);
  });

  it('fits each text without signs by itself', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z./]{1,20}$/), (path) => {
        expect(fits(path, path)).toBe(true);
      }),
    );
  });

  it('is done soon with patterns that keep a regular expression busy', () => {
    expect(fits(`${'*a'.repeat(100)}b`, 'a'.repeat(250))).toBe(false);
    expect(fits(`${'**/a/'.repeat(40)}b`, 'a/'.repeat(120))).toBe(false);
  });
});
