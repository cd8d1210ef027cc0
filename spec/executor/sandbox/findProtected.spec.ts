import { findProtected, ignoreRules } from '../../../src/executor/sandbox/findProtected';
import { SandboxError } from '../../../src/executor/sandbox/sandbox';
import { atOnce } from '../../../src/streams/pausing';
import { memoryFiles, type Tree } from './memoryFiles';

const found = (tree: Tree, own: string[] = [], temporary: string[] = []) =>
  atOnce(findProtected(memoryFiles({ '/w': null, '/tmp': null, ...tree }), { workspace: ['/w'], temporary }, own));

describe('findProtected', () => {
  it('refuses a git directory in a writable folder that is not UTF-8, as no path that can be protected names it', () => {
    const tree: Tree = { '/w/.git': 'gitdir: /w/d\ufffdp\n', '/w/.codex': null };
    expect(() => found(tree)).toThrow(/^\/w\/d\ufffdp, .* is not UTF-8 .*; rename it$/);
    expect(() => found({ ...tree, '/w/.git': 'gitdir: /v/\ufffd/../../w/d\n', '/v': null })).toThrow(SandboxError);
    expect(found({ ...tree, '/w/.git': 'gitdir: /v/d\ufffdp\n', '/v': null }).existing).toEqual([
      '/w/.git',
      '/w/.codex',
    ]);
  });

  it.each<[string, Tree, string[], string[]]>([
    ['what is missing', {}, [], ['/w/.git', '/w/.codex']],
    ['folders', { '/w/.git': null, '/w/.codex': null }, ['/w/.git', '/w/.codex'], []],
    ['a file', { '/w/.git': 'text', '/w/.codex': 'text' }, ['/w/.git', '/w/.codex'], []],
    [
      'a gitfile and where it leads',
      { '/w/.git': 'gitdir: ../w/data\n', '/w/data': null, '/w/.codex': null },
      ['/w/.git', '/w/.codex'],
      [],
    ],
    [
      'a gitfile and where it leads in the end',
      {
        '/w/.git': 'gitdir: /w/main/worktrees/one\n',
        '/w/main': null,
        '/w/main/worktrees': null,
        '/w/main/worktrees/one': null,
        '/w/main/worktrees/one/commondir': '/w/main\n',
        '/w/.codex': null,
      },
      ['/w/.git', '/w/main/worktrees/one', '/w/main', '/w/.codex'],
      [],
    ],
    [
      'what a git directory shares',
      { '/w/.git': null, '/w/.git/commondir': '/w/data\n', '/w/data': null, '/w/.codex': null },
      ['/w/.git', '/w/data', '/w/.codex'],
      [],
    ],
    [
      'links in a folder, and where they lead',
      { '/w/.git': null, '/w/.git/hooks': { link: '/w/hooks' }, '/w/hooks': null, '/w/.codex': null },
      ['/w/.git', '/w/hooks', '/w/.codex'],
      [],
    ],
    [
      'nothing outside of the roots',
      { '/w/.git': 'gitdir: /v/data', '/v': null, '/v/data': null, '/w/.codex': null },
      ['/w/.git', '/w/.codex'],
      [],
    ],
  ])('finds %s', (name, tree, existing, missing) => {
    const paths = name.endsWith('where it leads') ? ['/w/.git', '/w/data', '/w/.codex'] : existing;
    const normal = memoryFiles({ '/w': null, ...tree });
    // the tree in memory knows no dots
    const files = { ...normal, realpath: (path: string) => normal.realpath(path.replace('/w/../w/', '/w/')) };
    expect(atOnce(findProtected(files, { workspace: ['/w'], temporary: [] }, []))).toEqual({
      existing: paths,
      missing,
    });
  });

  it('finds what is there in temporary folders, and needs nothing to be', () => {
    const tree: Tree = { '/w/.git': null, '/w/.codex': null, '/tmp/.git': null, '/tmp/.codex': { link: '/w' } };
    expect(found(tree, [], ['/tmp'])).toEqual({ existing: ['/w/.git', '/w/.codex', '/tmp/.git'], missing: [] });
  });

  it.each<[string, Tree, string[]]>([
    ['the workspace', { '/tmp/.git': 'gitdir: /w\n' }, []],
    ['a folder in the workspace', { '/tmp/.git': 'gitdir: /w/a\n', '/w/a': null }, []],
    ['the workspace, by commondir', { '/tmp/.git': null, '/tmp/.git/commondir': '/w\n' }, []],
    ['the workspace, by a link', { '/tmp/.git': null, '/tmp/.git/objects': { link: '/w' } }, []],
    ['the temporary folder', { '/tmp/.git': 'gitdir: /tmp\n' }, []],
    ['what is not UTF-8', { '/tmp/.git': 'gitdir: /tmp/\ufffd\n' }, []],
    ['a folder there', { '/tmp/.git': 'gitdir: /tmp/a\n', '/tmp/a': null }, ['/tmp/a']],
  ])('closes by a .git of anybody in a temporary folder only what is there: %s', (_, tree, closed) => {
    const { existing } = found({ '/w/.git': null, '/w/.codex': null, ...tree }, [], ['/tmp']);
    expect(existing).toEqual(['/w/.git', '/w/.codex', '/tmp/.git', ...closed]);
  });

  it('follows what a .git names if the temporary folder is the workspace', () => {
    const tree: Tree = { '/w/.git': 'gitdir: /w/data', '/w/data': null };
    expect(found(tree, [], ['/w']).existing).toEqual(['/w/.git', '/w/data']);
  });

  it('finds folders of our own in the roots, there or not', () => {
    const tree: Tree = { '/w/.git': null, '/w/.codex': null, '/w/home': null, '/v': null };
    expect(found(tree, ['/w/home', '/w/dist', '/v', '/u'])).toEqual({
      existing: ['/w/.git', '/w/.codex', '/w/home'],
      missing: ['/w/dist'],
    });
  });

  it('finds the first folder that is missing on the way to a path of this program', () => {
    const files = memoryFiles({ '/w': null, '/w/.git': null, '/w/.codex': null });
    const { missing } = atOnce(
      findProtected(files, { workspace: ['/w'], temporary: [] }, ['/w/lib/node', '/w/lib/more']),
    );
    expect(missing).toEqual(['/w/lib']);
  });

  it('reads no file of our own, such as a large program', () => {
    const tree: Tree = {
      '/w': null,
      '/w/.git': null,
      '/w/.codex': null,
      '/v/node': 'gitdir: /w/data',
      '/w/data': null,
    };
    const files = memoryFiles(tree);
    const read: string[] = [];
    const readText = (path: string) => {
      read.push(path);
      return files.readText(path);
    };
    const roots = { workspace: ['/w'], temporary: [] };
    const existing = ['/w/.git', '/w/.codex'];
    expect(atOnce(findProtected({ ...files, readText }, roots, ['/v/node']))).toEqual({ existing, missing: [] });
    expect(read).toEqual(existing.map((path) => `${path}/commondir`));
  });

  it.each<[string, Tree, string[]]>([
    ['.git', { '/w/.git': { link: '/w/data' }, '/w/data': null }, []],
    ['.codex that leads nowhere', { '/w/.codex': { link: '/nowhere' } }, []],
    ['the way to a folder of our own', { '/w/a': { link: '/v' }, '/v': null, '/v/home': null }, ['/w/a/home']],
  ])('throws if a link is %s', (_, tree, own) => {
    expect(() => found(tree, own)).toThrow(SandboxError);
  });

  it('minds no link outside, and none in a temporary folder', () => {
    const tree: Tree = {
      '/w/.git': null,
      '/w/.codex': null,
      '/v': { link: '/u' },
      '/u': null,
      '/tmp/.git': { link: '/v' },
    };
    expect(found(tree, ['/v'], ['/tmp'])).toEqual({ existing: ['/w/.git', '/w/.codex'], missing: [] });
  });
});

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
