import { ignoreRules } from '../../../src/executor/sandbox/ignoreRules';
import { memoryFiles, type Tree } from './memoryFiles';

const REPOSITORY: Tree = { '/r': null, '/r/.git': null, '/r/.git/HEAD': '', '/r/a': null, '/r/a/pkg': null };

const rulesFor = (tree: Tree, path = '/r/a/pkg/.git') => ignoreRules(memoryFiles({ ...REPOSITORY, ...tree }), path);

describe('ignoreRules', () => {
  it.each([
    ['a name', 'node_modules\n*.log\n', 'node_modules\n*.log\n'],
    ['a folder by its name', 'dist/', 'dist/\n'],
    ['an exception', '!keep', '!keep\n'],
    ['a path in the folder', '/a/pkg/out\na/pkg/x/y\n', '/out\n/x/y\n'],
    ['a path with wild parts', '/*/p?g/[ab]c/**/z', '/[ab]c/**/z\n'],
    ['an exception in the folder', '!a/pkg/out/', '!/out/\n'],
    ['a path at any depth', '**/x/y', '**/x/y\n'],
    ['no path elsewhere', '/b/out\n/out\na/other/out', ''],
    ['nothing about the folder itself', 'a/pkg\n/a/', ''],
    ['no comment and no blank', '# x\n\n   \r\nx  \r\ny\\ \n', 'x\ny\\ \n'],
    ['no line that would take long', `${'*a'.repeat(200)}/b`, ''],
  ])('has %s', (_, text, rules) => {
    expect(rulesFor({ '/r/.gitignore': text })).toBe(rules);
  });

  it('has the rules of all folders around, from the top down, and first those that are of this clone only', () => {
    const own: Tree = { '/r/.git/info': null, '/r/.git/info/exclude': 'mine\n' };
    expect(rulesFor({ ...own, '/r/.gitignore': 'top', '/r/a/.gitignore': '/pkg/in\n' })).toBe('mine\ntop\n/in\n');
  });

  it('ends at the top of the nearest repository', () => {
    expect(rulesFor({ '/.gitignore': 'x', '/r/a/.git': 'gitdir: x', '/r/.gitignore': 'y' })).toBe('');
  });

  it('is for the .git of a folder in a repository only', () => {
    expect([rulesFor({}, '/r/a/pkg/.codex'), rulesFor({ '/v': null }, '/v/.git')]).toEqual([undefined, undefined]);
  });

  it('shows nothing that a link leads to', () => {
    const tree: Tree = { '/secret': 'key', '/r/.gitignore': { link: '/secret' }, '/etc': null, '/etc/exclude': 'key' };
    expect(rulesFor({ ...tree, '/r/.git/info': { link: '/etc' } })).toBe('');
  });
});
