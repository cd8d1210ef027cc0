import { isWithin } from '../../../src/streams/text/isWithin';

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
  });
});
