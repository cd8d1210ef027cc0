import { shortPath } from '../../../src/agent/safety/parseCommand';

describe('shortPath', () => {
  it.each([
    ['a/b.ts', 'b.ts'],
    ['packages/app/src/', 'app'],
    ['app\\src\\', 'app'],
    ['node_modules', 'node_modules'],
    ['src/build/dist', 'src/build/dist'],
    ['/', ''],
    ['a//', 'a'],
    ['.', '.'],
  ])('of %s is %s', (path, name) => {
    expect(shortPath(path)).toBe(name);
  });
});
