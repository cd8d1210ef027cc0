import { isFolder } from '../../src/cli/isFolder';

describe('isFolder', () => {
  it.each([
    [__dirname, true],
    [__filename, false],
    [`${__dirname}/none`, false],
  ])('of %s is %j', (path, expected) => expect(isFolder(path)).toBe(expected));
});
