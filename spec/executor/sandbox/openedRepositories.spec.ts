import { mustStay, openRepositories } from '../../../src/executor/sandbox/openedRepositories';
import { memoryFiles, type Tree } from './memoryFiles';

const GIT: Tree = {
  '/w': null,
  '/w/.git': null,
  '/w/.git/HEAD': 'ref: refs/heads/main\n',
  '/w/.git/config': '',
  '/w/.git/refs': null,
  '/w/.git/refs/heads': null,
  '/w/.git/objects': null,
  '/w/.git/objects/pack': null,
  '/w/.git/index': '',
};
const GUARDED = ['/w/.git/hooks', '/w/.git/codex-rx-sandbox', '/w/commondir'];

const opened = (tree: Tree, repositories: string[], existing = ['/w/.git'], kept: string[] = []) =>
  openRepositories(
    memoryFiles({ ...GIT, ...tree }),
    { workspace: ['/w'], temporary: [], repositories },
    { existing, missing: [], kept },
  );

describe('openRepositories', () => {
  it('changes nothing if the operator names none', () => {
    expect(opened({}, [])).toEqual({ existing: ['/w/.git'], missing: [], writable: [] });
  });

  it('opens a git directory, but nothing that git runs or obeys', () => {
    const { writable, existing, missing } = opened({ '/w/.git/hooks': null, '/w/.git/modules': null }, ['/w/.git']);
    expect(writable).toEqual(['/w/.git']);
    expect(existing).toEqual(['/w/.git/config', '/w/.git/hooks', '/w/.git/modules']);
    expect(missing).toEqual(GUARDED.slice(1));
  });

  it('keeps what is not there from being made', () => {
    expect(opened({}, ['/w/.git']).missing).toEqual(GUARDED);
  });

  it.each([
    ['its HEAD is gone', { '/w/.git/HEAD': undefined }],
    ['its objects are gone', { '/w/.git/objects': undefined }],
  ])('does so too if a command has made it invalid: %s', (_, gone) => {
    const files = memoryFiles({ ...GIT });
    for (const path of Object.keys(gone)) files.tree.delete(path);
    const roots = { workspace: ['/w'], temporary: [], repositories: ['/w/.git'] };
    const { existing } = openRepositories(files, roots, { existing: ['/w/.git'], missing: [], kept: [] });
    expect(existing).toEqual(['/w/.git/config']);
  });

  it('opens what was named itself, and a part as it is', () => {
    expect(opened({ '/w/.git/hooks': null }, ['/w/.git', '/w/.git/hooks']).existing).toEqual(['/w/.git/config']);
    expect(opened({}, ['/w/.git/refs'])).toEqual({ existing: ['/w/.git'], missing: [], writable: ['/w/.git/refs'] });
  });

  it('opens the git directory of the work tree in which the session works', () => {
    const tree: Tree = {
      '/w/.git/worktrees': null,
      '/w/.git/worktrees/t': null,
      '/w/.git/worktrees/t/HEAD': '',
      '/w/.git/worktrees/t/commondir': '../..\n',
    };
    const { writable, existing } = opened(tree, ['/w/.git'], ['/t/.git', '/w/.git/worktrees/t', '/w/.git']);
    expect(writable).toEqual(['/w/.git', '/w/.git/worktrees/t']);
    expect(existing).toEqual(['/t/.git', '/w/.git/config', '/w/.git/worktrees', '/w/.git/worktrees/t/commondir']);
  });

  it('keeps what is protected for another reason', () => {
    expect(opened({}, ['/w/.git'], ['/w/.git'], ['/w/.git']).existing).toContain('/w/.git');
  });

  it('throws for a link that a command could replace', () => {
    expect(() => opened({ '/w/.git/hooks': { link: '/w' } }, ['/w/.git'])).toThrow('/w/.git/hooks is a link');
  });
});

describe('mustStay', () => {
  it.each<[string, Tree, boolean]>([
    ['not beside a git directory that is valid', {}, false],
    ['beside one whose HEAD says nothing', { '/w/.git/HEAD': 'x' }, true],
    ['not without a git directory', { '/w/.git': '' }, false],
  ])('%s', (_, tree, stays) => {
    expect(mustStay(memoryFiles({ ...GIT, ...tree }), '/w/commondir')).toBe(stays);
  });

  it('is for this placeholder only', () => {
    expect(mustStay(memoryFiles({ ...GIT, '/w/.git/HEAD': 'x' }), '/w/.codex')).toBe(false);
  });
});
