import { gitdirOf } from '../../../src/streams/text/gitdirOf';

describe('gitdirOf', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['gitdir:x', undefined],
    ['a gitdir: x', undefined],
    ['gitdir: ../x/.git/worktrees/y\n', '../x/.git/worktrees/y'],
    ['gitdir:  with blanks \r\n', ' with blanks '],
    ['gitdir: a\nb\n\n', 'a\nb'],
    ['gitdir: ', ''],
  ])('of %j is %j', (text, path) => {
    expect(gitdirOf(text)).toBe(path);
  });

  it('needs no more than a moment for a million line breaks', () => {
    const breaks = '\n'.repeat(1_000_000); // a search from each of them takes minutes
    expect(gitdirOf(`gitdir: ${breaks}a`)).toBe(`${breaks}a`);
  });
});
