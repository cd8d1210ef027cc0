import { type InstructionSearch, userInstructions } from '../../../src/agent/thread/userInstructions';

type Tree = Record<string, string>;

/** A tree in memory: paths of files and what is in them. */
const instructionsFor = (tree: Tree, cwd: string, search: Partial<InstructionSearch> = {}) =>
  userInstructions({
    codexHome: '/home/.codex',
    readFile: (path) => tree[path],
    realpath: (path) => LINKS[path] ?? (path in tree ? path : undefined),
    exists: (path) => Object.keys(tree).some((file) => file === path || file.startsWith(`${path}/`)),
  })({ cwd, maxBytes: 32_768, ...search });

const LINKS: Tree = { '/linked/AGENTS.md': '/etc/secret', '/linked/in/AGENTS.md': '/linked/docs/agents' };
const links = {
  '/linked/.git/HEAD': '',
  '/linked/AGENTS.md': '',
  '/linked/in/AGENTS.md': '',
  '/etc/secret': 'key',
  '/linked/docs/agents': 'ours',
};

const own = { '/home/.codex/AGENTS.md': ' be brief\n' };
const project = {
  '/AGENTS.md': 'not ours',
  '/repo/.git/HEAD': '',
  '/repo/AGENTS.md': 'root\n',
  '/repo/a/AGENTS.md': ' middle',
  '/repo/a/b/AGENTS.md': 'leaf',
  '/repo/a/b/c/AGENTS.md': 'too deep',
};
const worktree = { '/repo/.git': 'gitdir: /elsewhere', '/repo/AGENTS.md': 'root', '/repo/a/x': '' };
const nested = { ...project, '/repo/a/.git/HEAD': '' };
const wild = { '/a/AGENTS.md': 'above', '/a/b/AGENTS.md': 'here' };

describe('userInstructions', () => {
  it.each<[string, Tree, string, string | undefined]>([
    ['nothing where there is nothing', {}, '/repo', undefined],
    ['the text of the user, trimmed', own, '/repo', 'be brief'],
    ['nothing for a blank text', { '/home/.codex/AGENTS.md': ' \n' }, '/repo', undefined],
    ['a project from its root down, untrimmed', project, '/repo/a/b', 'root\n\n\n middle\n\nleaf'],
    ['both, parted', { ...own, ...project }, '/repo', 'be brief\n\n--- project-doc ---\n\nroot\n'],
    ['the root for a folder without a file', project, '/repo/x/y', 'root\n'],
    ['a root whose .git is a file', worktree, '/repo/a', 'root'],
    ['the nearest root only', nested, '/repo/a/b', ' middle\n\nleaf'],
    ['the folder alone where no .git is', wild, '/a/b', 'here'],
    ['nothing of the folder above where no .git is', wild, '/a/c', undefined],
    ['the root of all files', { '/.git/HEAD': '', '/AGENTS.md': 'top' }, '/a', 'top'],
    ['a link within the project, and none out of it', links, '/linked/in', 'ours'],
    ['no blank file', { ...project, '/repo/a/AGENTS.md': '\n \n' }, '/repo/a/b', 'root\n\n\nleaf'],
  ])('finds %s', (_, tree, cwd, expected) => {
    expect(instructionsFor(tree, cwd)).toBe(expected);
  });

  it.each<[string, Tree, number, string | undefined]>([
    ['no file of the project for 0 bytes', { ...own, ...project }, 0, 'be brief'],
    ['the first bytes', project, 3, 'roo'],
    ['what is left for the second file', project, 8, 'root\n\n\n mi'],
    ['nothing of a third where all is used', project, 12, 'root\n\n\n middle'],
    ['bytes, not letters', { '/repo/.git': '', '/repo/AGENTS.md': 'äöü' }, 4, 'äö'],
    ['a mark for half a letter', { '/repo/.git': '', '/repo/AGENTS.md': 'a😀' }, 3, 'a\uFFFD'],
    ['a blank file for nothing', { ...project, '/repo/AGENTS.md': '   ' }, 7, ' middle'],
  ])('takes %s', (_, tree, maxBytes, expected) => {
    expect(instructionsFor(tree, '/repo/a/b', { maxBytes })).toBe(expected);
  });

  const claude = {
    '/repo/.git': '',
    '/repo/AGENTS.md': 'root',
    '/repo/a/CLAUDE.md': 'claude',
    '/repo/a/GEMINI.md': 'g',
  };

  it.each<[string, Tree, Partial<InstructionSearch>, string | undefined]>([
    ['an override of the user', { ...own, '/home/.codex/AGENTS.override.md': 'be long' }, {}, 'be long'],
    [
      'the text of the user beside a blank override',
      { ...own, '/home/.codex/AGENTS.override.md': ' ' },
      {},
      'be brief',
    ],
    ['an override of the project', { ...claude, '/repo/AGENTS.override.md': 'over' }, {}, 'over'],
    ['nothing of a folder with a blank override', { ...claude, '/repo/AGENTS.override.md': '\n' }, {}, undefined],
    ['the first of other names', claude, { fallbacks: ['none', ' CLAUDE.md ', 'GEMINI.md'] }, 'root\n\nclaude'],
    [
      'no other name beside AGENTS.md',
      { ...claude, '/repo/CLAUDE.md': 'c' },
      { fallbacks: ['CLAUDE.md'] },
      'root\n\nclaude',
    ],
    ['no file of another folder', { ...claude, '/repo/x': 'x' }, { fallbacks: ['../x', '', '..\\x'] }, 'root'],
    [
      'the root that a marker names',
      { ...claude, '/repo/a/go.mod': '' },
      { markers: ['go.mod'], fallbacks: ['CLAUDE.md'] },
      'claude',
    ],
    ['the folder alone without markers', claude, { markers: [], fallbacks: ['CLAUDE.md'] }, 'claude'],
  ])('prefers %s', (_, tree, search, expected) => {
    expect(instructionsFor(tree, '/repo/a', search)).toBe(expected);
  });
});
