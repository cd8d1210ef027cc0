import { findProgram, trustedFolders, workspaceProgram } from '../../../src/io/processes/trustedFolders';

const LINKS: Record<string, string> = { '/opt/link': '/work/app/bin', '/home/u/in': '/usr/bin', '/bin': '/usr/bin' };

const belongsToSystem = (path: string) => ['/usr/bin', '/usr/lib', '/usr/src/tool/bin'].includes(path);

const deps = {
  realpath: (path: string) => LINKS[path] ?? path,
  belongsToSystem,
  isRepository: (folder: string) => ['/', '/home', '/home/u', '/home/u/repo', '/home/u/repo/sub'].includes(folder),
  home: '/home/u',
  platform: 'linux',
};

const folders = (path: string | undefined, ...workspace: string[]) => trustedFolders(deps, path, workspace);

describe('trustedFolders', () => {
  it.each([
    ['nothing', undefined, []],
    ['an empty PATH', '', []],
    ['absolute folders in their order', '/usr/local/bin:/usr/bin:/bin', ['/usr/local/bin', '/usr/bin', '/bin']],
    ['no empty entries, which mean the current folder', ':/bin::/usr/bin:', ['/bin', '/usr/bin']],
    ['no relative ones', '.:bin:./x:../y:/bin', ['/bin']],
    ['no folder of the workspace', '/work/app/bin:/work/app:/work/app/node_modules/.bin:/bin', ['/bin']],
    ['a folder beside it', '/work/app2/bin:/work/bin', ['/work/app2/bin', '/work/bin']],
    ['no folder of the workspace in other words', '/work/./app/bin:/work/x/../app/bin:/work//app/bin/:/bin', ['/bin']],
    ['no link into the workspace', '/opt/link:/bin', ['/bin']],
    ['a link that leads out', '/home/u/in', ['/home/u/in']],
    ['nothing of npx in a folder above', '/work/node_modules/.bin:/node_modules/.bin:/bin', ['/bin']],
    ['what npx keeps elsewhere', '/home/u/.npm/_npx/1/node_modules/.bin', ['/home/u/.npm/_npx/1/node_modules/.bin']],
  ])('has %s', (_, path, expected) => {
    expect(folders(path, '/work/app')).toEqual(expected);
  });

  it('has no folder of the outermost repository around the workspace, but those of the home, though it be one', () => {
    const path = '/home/u/repo/tools:/home/u/repo/sub/bin:/home/u/bin:/home/u/.local/bin:/home/u/other/.venv/bin';
    const outside = ['/home/u/bin', '/home/u/.local/bin', '/home/u/other/.venv/bin'];
    expect(folders(path, '/home/u/repo/sub/packages/a')).toEqual(outside);
    expect(folders(path, '/home/u/repo/sub')).toEqual(outside);
  });

  it('has no folder that a project around the workspace keeps out of sight', () => {
    const path = '/work/.venv/bin:/work/x/.direnv/bin:/work/.tools/a/bin:/work/x/node_modules/a/bin:/.bin:/work/bin';
    expect(folders(path, '/work/x/y')).toEqual(['/.bin', '/work/bin']);
    expect(folders('/home/u/code/.venv/bin:/home/u/.nvm/bin', '/home/u/code/a')).toEqual(['/home/u/.nvm/bin']);
  });

  it('has all absolute folders where there is no workspace, and none where it is everything', () => {
    expect(folders('/usr/bin:.:/bin')).toEqual(['/usr/bin', '/bin']);
    expect(folders('/opt/bin:.:/home/u/in', '/')).toEqual([]);
  });

  it.each([
    ['the whole disk', '/', ['/usr/bin', '/bin']],
    ['the folder around them', '/usr', ['/usr/bin', '/bin', '/opt/link']],
    [
      'one of them itself',
      '/usr/bin',
      ['/usr/bin', '/bin', '/usr/local/bin', '/usr/src/tool/bin', '/usr/lib', '/opt/link'],
    ],
  ])(
    'has the folders of the system that this user cannot write to, if the workspace is %s',
    (_, workspace, expected) => {
      // in /usr/local/bin this user may write; /usr/src/tool/bin and /usr/lib are the system's, but no place for programs of the system
      const path = '/usr/bin:/bin:/usr/local/bin:/usr/src/tool/bin:/usr/lib:/home/u/in:/opt/link';
      expect(folders(path, workspace)).toEqual(expected);
    },
  );

  it('has none of them if this user may write there, as root', () => {
    expect(trustedFolders({ ...deps, belongsToSystem: () => false }, '/usr/bin:/bin:/opt/bin', ['/usr'])).toEqual([
      '/opt/bin',
    ]);
  });

  it('knows the paths of Windows', () => {
    const path = 'C:\\Windows;c:\\Work\\App\\bin;bin;;\\\\server\\share;C:/work/app/x;D:\\tools';
    expect(trustedFolders({ ...deps, platform: 'win32' }, path, ['C:\\work\\app'])).toEqual([
      'C:\\Windows',
      '\\\\server\\share',
      'D:\\tools',
    ]);
  });
});

describe('findProgram', () => {
  it.each([
    [['/a', '/b/', '/c'], '/b/prog'],
    [['/c', '/b//'], '/c/prog'],
    [['/a', '/'], undefined],
    [[], undefined],
  ])('looks in %j', (folders, found) => {
    const isProgram = (path: string) => ['/b/prog', '/c/prog'].includes(path);
    expect(findProgram({ isProgram }, 'prog', folders)).toBe(found);
  });

  it('finds the programs of Windows by their names without an ending', () => {
    const isProgram = (path: string) => ['C:\\a/npx.cmd', 'C:\\b/git.exe'].includes(path);
    const find = (name: string) => findProgram({ isProgram, platform: 'win32' }, name, ['C:\\a', 'C:\\b']);
    expect(['npx', 'git.exe', 'sh'].map(find)).toEqual(['C:\\a/npx.cmd', 'C:\\b/git.exe', undefined]);
  });
});

describe('workspaceProgram', () => {
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
  const OF_SYSTEM = ['/usr/bin', '/usr/bin/ls', '/usr/bin/git', '/usr/lib/wc'];
  const deps = {
    realpath: (path: string) => LINKS[path] ?? path,
    belongsToSystem: (path: string) => OF_SYSTEM.includes(path),
    isProgram: (path: string) => PROGRAMS.includes(path),
    isRepository: () => false,
    home: undefined,
    platform: 'linux',
  };
  const PATH = '/work/bin:/usr/bin:/opt/bin';
  const find = (names: string[], path: string | undefined, ...workspace: string[]) =>
    workspaceProgram(deps)(names, path, workspace);

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
