import { foldersBetween, inFolder, isWithin, isWithinAny } from '../../../src/executor/sandbox/paths';

describe('isWithin', () => {
  it.each([
    ['/a', '/a', true],
    ['/a', '/a/b', true],
    ['/a', '/ab', false],
    ['/a/b', '/a', false],
    ['/', '/a', true],
    ['/', '/', true],
  ])('relates %s to %s: %s', (folder, path, expected) => {
    expect(isWithin(folder, path)).toBe(expected);
    expect(isWithinAny(['/x', folder], path)).toBe(expected);
  });
});

describe('foldersBetween', () => {
  it.each([
    ['/a', '/a/b', []],
    ['/a', '/a/b/c/d', ['/a/b', '/a/b/c']],
    ['/', '/a/b', ['/a']],
  ])('has those from %s to %s', (folder, path, expected) => {
    expect(foldersBetween(folder, path)).toEqual(expected);
  });
});

describe('inFolder', () => {
  it('joins with one slash', () => {
    expect([inFolder('/', 'a'), inFolder('/a', 'b')]).toEqual(['/a', '/a/b']);
  });
});
