import { mayWrite } from '../../../src/executor/sandbox/mayWrite';
import { memoryFiles, type Tree } from './memoryFiles';

const roots = { workspace: ['/ws'], temporary: ['/tmp'] };
const within = (tree: Tree) => mayWrite({ files: memoryFiles(tree), own: ['/ws/dist', '/link'] }, roots);
const may = within({ '/ws': null, '/ws/home': null, '/link': { link: '/ws/home' } });

describe('mayWrite', () => {
  it.each(['/ws/a', '/ws/a/b', '/tmp/x', '/ws/.gitignore', '/ws/a.git/x', '/ws/distance', '/ws/.git-x', '/ws/...'])(
    'allows %s',
    (path) => {
      expect(may(path)).toBe(true);
    },
  );

  it.each([
    ...['/', '/w', '/wsx', '/ws/.git/config', '/ws/.git', '/ws/.GIT/hooks/x', '/ws/.Codex/config.toml'],
    ...['/ws/vendor/lib/.git/config', '/tmp/.git/config', '/ws/dist/main.cjs', '/ws/home/auth.json', '/etc/passwd'],
    ...[
      '/ws/.g\u200cit/hooks/x',
      '/ws/.git./x',
      '/ws/.git /x',
      '/ws/git~1/x',
      '/ws/.git::$INDEX_ALLOCATION/x',
      '/ws/.\u00adCODEX/x',
    ],
  ])('does not allow %s', (path) => {
    expect(may(path)).toBe(false);
  });

  it.each<[string, Tree]>([
    ['a gitfile names', { '/ws/.git': 'gitdir: store\n' }],
    ['a work tree shares', { '/ws/.git': 'gitdir: a\n', '/ws/a': null, '/ws/a/commondir': '/ws/store\n' }],
    ['a git directory shares', { '/ws/.git': null, '/ws/.git/commondir': '/ws/store\n' }],
    ['links in a git directory lead to', { '/ws/.git': null, '/ws/.git/hooks': { link: '/ws/store' } }],
    ['a link is', { '/ws/.git': { link: '/ws/store' } }],
  ])('does not allow what %s', (_, tree) => {
    const may = within({ '/ws': null, '/ws/store': null, ...tree });
    expect(may('/ws/store/x')).toBe(false);
    expect(may('/ws/stored')).toBe(true);
  });

  it('allows what lies in a folder that holds the root and a link by which the program was started', () => {
    const deps = { files: memoryFiles({ '/ws': null }), own: ['/', '/ws'] };
    expect(mayWrite({ ...deps, own: ['/'] }, roots)('/ws/a')).toBe(true);
    expect(mayWrite(deps, roots)('/ws/a')).toBe(false);
  });

  it('allows the files of a work tree inside its bare repository, as a command may write them, and nothing that git obeys', () => {
    const files = memoryFiles({
      '/bare': null,
      '/bare/worktrees': null,
      '/bare/worktrees/w': null,
      '/bare/w': null,
      '/bare/worktrees/w/commondir': '/bare\n',
      '/bare/w/.git': 'gitdir: /bare/worktrees/w\n',
    });
    const may = mayWrite({ files, own: [] }, { workspace: ['/bare/w'], temporary: [] });
    const paths = ['/bare/w/a', '/bare/w/.git', '/bare/config', '/bare/hooks/x', '/bare/worktrees/w/HEAD'];
    expect(paths.filter(may)).toEqual(['/bare/w/a']);
  });

  it('allows nothing that the user protects, nor in a protected folder that holds the root', () => {
    const may = (path: string) =>
      mayWrite(
        { files: memoryFiles({ '/ws': null }), own: [], protectedPaths: { readOnly: [path], denied: [] } },
        roots,
      );
    expect(may('/ws/secret')('/ws/secret')).toBe(false);
    expect(may('/ws/secret')('/ws/a')).toBe(true);
    expect(may('/')('/ws/a')).toBe(false);
  });

  it('allows nothing if there is no root', () => {
    const none = mayWrite({ files: memoryFiles({}), own: [] }, { workspace: [], temporary: [] });
    expect(none('/ws/a')).toBe(false);
  });
});
