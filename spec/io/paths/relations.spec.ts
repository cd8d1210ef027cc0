import { foldersBetween, foldersUp, inFolder, isWithinAny } from '../../../src/io/paths/relations';

describe('isWithinAny', () => {
  it.each([
    [['/x', '/a'], '/a/b', true],
    [['/x', '/a'], '/ab', false],
    [[], '/a', false],
  ])('relates %s to %s: %s', (folders, path, expected) => {
    expect(isWithinAny(folders, path)).toBe(expected);
  });
});

describe('foldersUp', () => {
  it('goes from a folder up to the root', () => {
    expect(foldersUp('/a/b')).toEqual(['/a/b', '/a', '/']);
    expect(foldersUp('/')).toEqual(['/']);
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
