import { checkSandbox, enterSandbox, sparseFolders } from '../../../src/executor/sandbox/enterSandbox';
import type { Roots } from '../../../src/executor/sandbox/pinRoots';
import { SandboxError } from '../../../src/executor/sandbox/sandbox';
import { atOnce } from '../../../src/streams/pausing';
import { ownersOf } from '../../support/files';
import { memoryFiles, type Tree } from './memoryFiles';

const TREE: Tree = {
  '/w': null,
  '/w/.git': null,
  '/w/.git/HEAD': '',
  '/tmp': null,
  '/h': null,
  '/h/.netrc': '',
  '/h/.ssh': null,
};
const ROOTS: Roots = { workspace: ['/w'], temporary: ['/tmp'] };

const entering = (tree: Tree = {}, own: { own?: string[]; secrets?: () => string[]; sparse?: () => string[] } = {}) => {
  const files = memoryFiles({ ...TREE, ...tree });
  const deps = {
    files,
    own: [],
    secrets: () => ['/h/.netrc', '/h/.ssh', '/h/.aws'],
    sparse: () => [],
    id: '7-id',
    owners: () => ownersOf({ pid: 7, start: 'a', host: 'here' }, { 7: 'a' }),
    watch: () => () => {},
    ...own,
  };
  const [enter, check] = [enterSandbox(deps), checkSandbox(deps)];
  return {
    files,
    enter: (...args: Parameters<typeof enter>) => atOnce(enter(...args)),
    check: (...args: Parameters<typeof check>) => atOnce(check(...args)),
  };
};

describe('enterSandbox', () => {
  it('makes a sandbox of what is there, and gives up what it put there', () => {
    const { enter, files } = entering();
    const { sandbox, release } = enter(ROOTS, 'closed');
    expect(sandbox).toEqual({
      writable: ['/w', '/tmp'],
      readOnly: ['/w/.git'],
      empty: ['/w/.codex'],
      hidden: [
        { path: '/h/.netrc', kind: 'file' },
        { path: '/h/.ssh', kind: 'folder' },
      ],
      sparse: [],
      network: 'closed',
    });
    expect(files.kindOf('/w/.codex')).toBe('folder');
    release();
    expect(files.kindOf('/w/.codex')).toBeUndefined();
  });

  it('needs nothing for a sandbox without roots', () => {
    const { enter, files } = entering({}, { secrets: () => [], own: ['/h'] });
    const before = [...files.tree.keys()];
    const { sandbox } = enter({ workspace: [], temporary: [] }, 'open');
    expect(sandbox).toEqual({ writable: [], readOnly: [], empty: [], hidden: [], sparse: [], network: 'open' });
    expect([...files.tree.keys()]).toEqual(before);
  });

  it('keeps its own folders', () => {
    const tree = { '/w/.codex': null, '/w/.codex/config.toml': '', '/tmp/home': null, '/tmp/home/auth.json': '' };
    const { sandbox } = entering(tree, { own: ['/tmp/home', '/h'] }).enter(ROOTS, 'open');
    expect(sandbox.readOnly).toEqual(['/w/.git', '/w/.codex', '/tmp/home']);
  });

  it('hides where a link to a secret leads, and not the workspace', () => {
    const tree: Tree = { '/h/.aws': { link: '/tmp/aws' }, '/tmp/aws': null, '/h/.ssh/w': null, '/h/.ssh/w/.git': null };
    const { sandbox } = entering(tree).enter({ workspace: ['/h/.ssh/w'], temporary: [] }, 'closed');
    expect(sandbox.hidden).toEqual([
      { path: '/h/.netrc', kind: 'file' },
      { path: '/tmp/aws', kind: 'folder' },
    ]);
  });

  it('takes out of the roots what one process may not write or read, and keeps the names of what is not there', () => {
    const { enter, files } = entering({ '/w/.env': '', '/w/docs': null, '/etc': null, '/etc/key': '' });
    const protectedPaths = { readOnly: ['/w/docs', '/w/.agents', '/etc'], denied: ['/w/.env', '/w/later', '/etc/key'] };
    const { sandbox, release } = enter(ROOTS, 'closed', protectedPaths);
    expect(sandbox.readOnly).toEqual(['/w/.git', '/w/docs', '/w/.env']);
    expect(sandbox.empty).toEqual(['/w/.codex', '/w/.agents', '/w/later']);
    expect(sandbox.hidden).toEqual([
      { path: '/h/.netrc', kind: 'file' },
      { path: '/h/.ssh', kind: 'folder' },
      { path: '/w/.env', kind: 'file' },
      { path: '/w/later', kind: 'folder' },
      { path: '/etc/key', kind: 'file' },
    ]);
    release();
    expect(files.kindOf('/w/later')).toBeUndefined();
  });

  it('holds a place that another sandbox holds already', () => {
    const { enter, files } = entering();
    const [one, other] = [enter(ROOTS, 'closed'), enter(ROOTS, 'closed')];
    expect(other.sandbox.empty).toEqual(['/w/.codex']);
    one.release();
    expect(files.kindOf('/w/.codex')).toBe('folder');
    other.release();
    expect(files.kindOf('/w/.codex')).toBeUndefined();
  });

  it('finds sparse folders', () => {
    const { enter } = entering(
      { '/c': null, '/c/auth.json': '', '/c/skills': null },
      { sparse: () => ['/c', '/gone'] },
    );
    expect(enter(ROOTS, 'closed').sandbox.sparse).toEqual([{ path: '/c', shown: ['/c/skills'], links: [] }]);
  });

  it('leaves out roots that are gone', () => {
    const { sandbox } = entering().enter({ workspace: ['/gone', '/w'], temporary: ['/t'] }, 'closed');
    expect(sandbox.writable).toEqual(['/w']);
  });

  it('throws if a root has become a link', () => {
    const { enter } = entering({ '/w': { link: '/h' } });
    expect(() => enter(ROOTS, 'closed')).toThrow(
      new SandboxError('/w has become a link since the session began; begin a new session in the right folder'),
    );
  });
});

describe('checkSandbox', () => {
  it('reads nothing twice', () => {
    const { files } = entering({ '/w/.git': 'gitdir: /w/data\n', '/w/data': null, '/w/data/commondir': '/w\n' });
    const seen: string[] = [];
    const noting =
      <T>(name: string, read: (path: string) => T) =>
      (path: string): T => {
        seen.push(`${name} ${path}`);
        return read(path);
      };
    const { kindOf, realpath, readText, list } = files;
    const noted = {
      kindOf: noting('kind', kindOf),
      realpath: noting('real', realpath),
      readText: noting('text', readText),
      list: noting('list', list),
    };
    atOnce(checkSandbox({ files: { ...files, ...noted }, own: ['/w/data'] })(ROOTS));
    expect(seen).toContain('text /w/.git');
    expect([...new Set(seen)]).toEqual(seen);
  });

  it('finds the same without making anything', () => {
    const { check, files } = entering();
    const before = [...files.tree.keys()];
    expect(check(ROOTS)).toEqual({ existing: ['/w/.git'], missing: ['/w/.codex'], writable: [] });
    expect([...files.tree.keys()]).toEqual(before);
  });

  it('takes an empty folder for a placeholder, which another process may be about to mark or to remove', () => {
    const own = ['/w/own', '/w/home', '/w/home/.codex'];
    const { check } = entering({ '/w/.codex': null, '/w/own': null, '/w/home': null, '/w/docs': null }, { own });
    expect(check(ROOTS, { readOnly: ['/w/docs'], denied: [] })).toEqual({
      existing: ['/w/.git', '/w/home', '/w/docs'],
      missing: ['/w/home/.codex', '/w/.codex', '/w/own'],
      writable: [],
    });
  });

  it('throws like enterSandbox', () => {
    expect(() => entering({ '/w/.git': { link: '/h' } }).check(ROOTS)).toThrow(/\/w\/\.git is a link/);
  });
});

describe('sparseFolders', () => {
  it('shows folders, texts in Markdown, and links to them', () => {
    const files = memoryFiles({
      '/c': null,
      '/c/AGENTS.md': '',
      '/c/auth.json': '',
      '/c/auth.json.tmp': '',
      '/c/skills': null,
      '/c/skills/one': null,
      '/c/notes.md': { link: '/dots/notes.md' },
      '/c/prompts': { link: '/dots/prompts' },
      '/c/login': { link: '/dots/login' },
      '/c/gone': { link: '/dots/gone' },
      '/dots': null,
      '/dots/notes.md': '',
      '/dots/prompts': null,
      '/dots/login': '',
    });
    expect(sparseFolders(files, ['/c'])).toEqual([
      {
        path: '/c',
        shown: ['/c/AGENTS.md', '/c/skills'],
        links: [
          { path: '/c/notes.md', target: '/dots/notes.md' },
          { path: '/c/prompts', target: '/dots/prompts' },
        ],
      },
    ]);
  });

  it('resolves links, and leaves out what is no folder or is not there', () => {
    const files = memoryFiles({ '/c': { link: '/d' }, '/d': null, '/d/x': null, '/f': '' });
    expect(sparseFolders(files, ['/c', '/f', '/gone'])).toEqual([{ path: '/d', shown: ['/d/x'], links: [] }]);
  });
});
