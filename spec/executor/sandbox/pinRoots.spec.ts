import { leftOut, pinRoots, type SandboxSettings } from '../../../src/executor/sandbox/pinRoots';
import { memoryFiles } from './memoryFiles';

const files = memoryFiles({
  '/w': null,
  '/w/sub': null,
  '/w/sub/out': { link: '/v' },
  '/v/sub': null,
  '/v': null,
  '/tmp': { link: '/private' },
  '/private': null,
  '/private/t': null,
  '/link': { link: '/v' },
  '/dev': null,
  '/dev/shm': null,
  '/proc': null,
  '/usr': null,
  '/usr/bin': null,
  '/usr/src': null,
  '/usr/lib': null,
  '/usr/lib/node_modules': null,
  '/w/.git': null,
  '/w/.git/hooks': null,
  '/w/git~1': null,
  '/w/sub/.GIT': null,
  '/w/sub/.GIT/hooks': null,
  '/w/sub/.codex': null,
  '/v/program': null,
  '/v/program/bin': null,
  '/v/link-home': { link: '/v/home' },
  '/v/home': null,
  '/v/bare': null,
  '/v/bare/HEAD': 'ref: refs/heads/main',
  '/v/bare/objects': null,
  '/v/bare/refs': null,
  '/v/bare/hooks': null,
  '/v/bare/tree': null,
  '/v/bare/tree/.git': 'gitdir: /v/bare/worktrees/tree',
  '/v/bare/tree/sub': null,
});
const others = memoryFiles({ '/w': null, '/tmp': null, '/theirs': null }, { readOnly: ['/w', '/tmp', '/theirs'] });
const closed = ['/v/program', '/v/link-home'];
const secrets = () => ['/home/me/.ssh'];
const homes = ['/home/me'];
const settings: SandboxSettings = {
  mode: 'workspace-write',
  cwd: '/w',
  writableRoots: [],
  networkAccess: false,
  excludeTmpdirEnvVar: false,
  excludeSlashTmp: false,
  tmpdir: undefined,
};

describe('pinRoots', () => {
  it.each<[string, Partial<SandboxSettings>, string[], string[]]>([
    ['nothing in read-only mode', { mode: 'read-only', writableRoots: ['/v'], tmpdir: '/v' }, [], []],
    ['the folder of the session and temporary ones, links resolved', {}, ['/w'], ['/private']],
    ['TMPDIR beside /tmp', { tmpdir: '/v' }, ['/w'], ['/private', '/v']],
    ['no temporary folder that is excluded', { excludeSlashTmp: true, tmpdir: '/v' }, ['/w'], ['/v']],
    ['no TMPDIR that is excluded', { excludeTmpdirEnvVar: true, tmpdir: '/v' }, ['/w'], ['/private']],
    ['no relative TMPDIR', { tmpdir: 'v' }, ['/w'], ['/private']],
    ['further roots, each once', { writableRoots: ['/v', '/v', '/w'] }, ['/w', '/v'], ['/private']],
    ['no root that is not there', { writableRoots: ['/gone'] }, ['/w'], ['/private']],
    [
      'no temporary folder that is in a root',
      { writableRoots: ['/private'], tmpdir: '/w/sub' },
      ['/w', '/private'],
      [],
    ],
    ['never the whole file system', { cwd: '/' }, [], ['/private']],
    [
      'never a folder that holds the programs of the system, but one beside them',
      { cwd: '/usr', writableRoots: ['/usr/bin', '/usr/src'] },
      ['/usr/src'],
      ['/private'],
    ],
    [
      'nothing of the system that a sandbox has of its own',
      { writableRoots: ['/dev/shm', '/proc'] },
      ['/w'],
      ['/private'],
    ],
    [
      'nothing in what git, Codex or this program runs, in any spelling of a name',
      {
        writableRoots: [
          ...['/w/.git', '/w/sub/.GIT/hooks', '/w/sub/.codex', '/v/program/bin', '/v/bare/hooks', '/w/git~1'],
          ...['/usr/lib/node_modules', '/v/bare/tree/sub'],
        ],
        tmpdir: '/v/program',
      },
      ['/w', '/v/bare/tree/sub'],
      ['/private'],
    ],
  ])('has %s', (_, own, workspace, temporary) => {
    expect(pinRoots({ files, closed, secrets, homes }, { ...settings, ...own })).toEqual({ workspace, temporary });
  });

  it('throws for a session in such a place, unless nothing is to be written', () => {
    const inHooks = { ...settings, cwd: '/w/.git/hooks' };
    expect(() => pinRoots({ files, closed, secrets, homes }, inHooks)).toThrow(
      '/w/.git/hooks lies in /w/.git, which no command may write',
    );
    expect(pinRoots({ files, closed, secrets, homes }, { ...inHooks, mode: 'read-only' })).toEqual({
      workspace: [],
      temporary: [],
    });
  });

  it.each([{ cwd: '/link' }, { writableRoots: ['/w', '/link/sub'] }])(
    'throws for a root that a link has replaced: %j',
    (own) => {
      expect(() => pinRoots({ files, closed, secrets, homes }, { ...settings, ...own })).toThrow(
        /^\/link\S* has become a link since the session began/,
      );
    },
  );

  it('leaves out a temporary folder that is reached through the workspace: a command could have made the link', () => {
    const tmpdir = '/w/sub/out';
    expect(pinRoots({ files, closed, secrets, homes }, { ...settings, tmpdir })).toEqual({
      workspace: ['/w'],
      temporary: ['/private'],
    });
    expect(pinRoots({ files, closed, secrets, homes }, { ...settings, cwd: '/usr/src', tmpdir })).toEqual({
      workspace: ['/usr/src'],
      temporary: ['/private', '/v'],
    });
  });

  it.each([
    ['what all users share as they do /tmp', '/shared', true],
    ['what is closed to others', '/closed', true],
    ['no folder that others can read', '/open', false],
    ['no home', '/home/me', false],
    ['nothing in a home', '/home/me/bin', false],
    ['nothing that holds a home', '/home', false],
    ['no place of secrets, nor a folder in one', '/home/me/.ssh/in', false],
    ['nothing that holds the workspace', '/around', false],
    ['nothing that is not there', '/gone', false],
  ])('takes for TMPDIR %s', (_, tmpdir, isTaken) => {
    const tree = {
      '/shared': null,
      '/closed': null,
      '/open': null,
      '/home': null,
      '/home/me': null,
      '/home/me/bin': null,
      '/around': null,
    };
    const more = { '/around/w': null, '/home/me/.ssh': null, '/home/me/.ssh/in': null };
    const files = memoryFiles({ ...tree, ...more }, { shared: ['/shared'], open: ['/open'] });
    const given = { ...settings, cwd: '/around/w', excludeSlashTmp: true, tmpdir };
    expect(pinRoots({ files, closed, secrets, homes }, given).temporary).toEqual(isTaken ? [tmpdir] : []);
  });

  it('leaves out temporary folders in which this user can make nothing, but no workspace', () => {
    const tmpdir = '/theirs';
    expect(pinRoots({ files: others, closed, secrets, homes }, { ...settings, tmpdir })).toEqual({
      workspace: ['/w'],
      temporary: [],
    });
  });
});

describe('leftOut', () => {
  it('names what the settings name and no command may write, with the remedy', () => {
    const named = { ...settings, writableRoots: ['/w/.git', '/gone'], tmpdir: '/v' };
    const deps = { files, closed, secrets, homes: ['/v'] };
    expect(leftOut(deps, named, pinRoots(deps, named))).toEqual([
      'The writable root /w/.git is left out: it is a place that no command may write: git or Codex obeys it',
      expect.stringMatching(/^No command may write in TMPDIR \(\/v\): .*writable_roots$/),
    ]);
  });

  it('is silent about what may be written, and where nothing may', () => {
    const deps = { files, closed, secrets, homes };
    expect(leftOut(deps, settings, pinRoots(deps, settings))).toEqual([]);
    const readOnly: SandboxSettings = { ...settings, mode: 'read-only', writableRoots: ['/w/.git'] };
    expect(leftOut(deps, readOnly, pinRoots(deps, readOnly))).toEqual([]);
  });
});
