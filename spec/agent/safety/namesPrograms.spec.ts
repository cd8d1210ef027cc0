import { namesPrograms } from '../../../src/agent/safety/namesPrograms';

const PIPE = '|';

/** Files by their paths; PIPE is one that keeps its readers waiting, and is not read. */
const names = (files: Record<string, string>, folder = '/w/a'): boolean =>
  namesPrograms({
    realpath: () => undefined,
    isPlain: (path) => files[path] !== PIPE,
    readText: (path) => (files[path] === PIPE ? undefined : files[path]),
    readBytes: () => undefined,
  })(folder);

describe('namesPrograms', () => {
  it.each([
    ['a diff program', '[diff]\n\texternal = /w/evil'],
    ['a driver', '[core]\n\tbare = false\n[diff "x"]\n\ttextconv = evil'],
    ['a filter', '[filter "lfs"]\n\tclean = evil'],
    ['the old way of a subsection', '[filter.x]\n\tprocess = evil'],
    ['another case, blanks and the same line', '[ DIFF ]external=evil'],
    ['another file', '[include]\n\tpath = ../evil'],
    ['another file under a condition', '[includeIf "gitdir:/w"]\n\tpath = evil'],
    ['a hook', '[hook "x"]\n\tcommand = evil'],
    ['a look into submodules', '[status]\n\tsubmoduleSummary = true'],
  ])('finds %s', (_, config) => {
    expect(names({ '/w/a/.git/config': config })).toBe(true);
  });

  it('takes what cannot be looked at for one that does', () => {
    const full = (): never => {
      throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    };
    expect(namesPrograms({ realpath: full, isPlain: () => true, readText: full, readBytes: full })('/w/a')).toBe(true);
  });

  const EVIL = '[filter "x"]\nclean = evil';

  it.each<[string, Record<string, string>]>([
    ['the folder above', { '/w/.git/config': EVIL }],
    ['the settings of a work tree', { '/w/.git/config.worktree': EVIL }],
    ['a git directory itself', { '/w/config': EVIL }],
    ['what a gitfile names', { '/w/a/.git': 'gitdir: ../store\n', '/w/store/config': EVIL }],
    [
      'what a work tree shares',
      { '/w/a/.git': 'gitdir: /m/worktrees/a', '/m/worktrees/a/commondir': '../..\n', '/m/config': EVIL },
    ],
    ['a folder whose name ends in a blank', { '/w/a/.git': 'gitdir: s \n', '/w/a/s /config': EVIL }],
    ['a folder whose name begins with a blank', { '/w/a/.git': 'gitdir:  s', '/w/a/ s/config': EVIL }],
    ['a folder with a line break in its name', { '/w/a/.git': 'gitdir: s\nx\r\n', '/w/a/s\nx/config': EVIL }],
    ['a shared folder whose name ends in a blank', { '/w/a/.git/commondir': '../s \n', '/w/a/s /config': EVIL }],
  ])('looks into %s', (_, files) => {
    expect(names(files)).toBe(true);
  });

  it.each([
    'a/.git',
    'a/.git/config',
    'a/.git/config.worktree',
    'a/.git/index',
    'a/.git/commondir',
    'a/config',
    'config',
  ])('counts %s as one that names programs where it keeps its readers waiting', (path) => {
    expect(names({ [`/w/${path}`]: PIPE })).toBe(true);
  });

  it('passes over a plain repository', () => {
    const config =
      '[core]\n\tbare = false\n[remote "origin"]\n\turl = x\n[branch "diff"]\n\tmerge = x\n[user]\n\tname = status';
    expect(names({ '/w/a/.git/config': config })).toBe(false);
    expect(names({})).toBe(false);
  });
});
