import { workspaceProgram } from '../../../src/io/processes/workspaceProgram';

const PROGRAMS = [
  '/usr/bin/ls',
  '/usr/bin/cat',
  '/usr/bin/git',
  '/usr/bin/wc',
  '/usr/local/bin/rg',
  '/work/bin/ls',
  '/work/bin/own',
  '/opt/bin/linked',
  '/work/./near',
];
const LINKS: Record<string, string> = { '/opt/bin/linked': '/work/out/linked', '/usr/bin/wc': '/usr/lib/wc' };
const SEALED = ['/usr/bin', '/usr/bin/ls', '/usr/bin/git', '/usr/lib/wc'];
const deps = {
  realpath: (path: string) => LINKS[path] ?? path,
  isSealed: (path: string) => SEALED.includes(path),
  isProgram: (path: string) => PROGRAMS.includes(path),
  platform: 'linux',
};
const PATH = '/work/bin:/usr/bin:/opt/bin';
const find = (names: string[], path: string | undefined, ...workspace: string[]) =>
  workspaceProgram(deps)(names, path, workspace);

describe('workspaceProgram', () => {
  it.each([
    ['none: the program is outside, whatever the workspace has of that name', ['ls'], PATH, '/work', undefined],
    ['one that only the workspace has', ['ls', 'own'], PATH, '/work', 'own'],
    ['one that a link outside leads to', ['linked'], PATH, '/work', 'linked'],
    ['none that is nowhere', ['nothing', 'ls'], PATH, '/work', undefined],
    ['none that is named by its path', ['/work/bin/own', './own'], PATH, '/work', undefined],
    ['one in a relative folder of PATH', ['near'], '.:/usr/bin', '/work', 'near'],
    ['none of the system in a workspace that is all', ['ls', 'git'], PATH, '/', undefined],
    ['none behind a link of the system', ['wc'], PATH, '/', undefined],
    ['one in a folder of the system that this user may change', ['ls', 'cat'], PATH, '/', 'cat'],
    ['one in a folder that this user may write to', ['rg'], '/usr/bin:/usr/local/bin', '/usr', 'rg'],
    [
      'any, if nothing of PATH is left: an empty one means the current folder',
      ['nothing'],
      '/work/bin',
      '/work',
      'nothing',
    ],
    ['none without a PATH, which means that of the system', ['ls'], undefined, '/', undefined],
  ])('finds %s', (_, names, path, workspace, expected) => {
    expect(find(names, path, workspace)).toBe(expected);
  });
});
