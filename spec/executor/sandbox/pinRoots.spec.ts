import type { SandboxSettings } from '../../../src/executor/sandbox/pinRoots';
import { pinRoots } from '../../../src/executor/sandbox/pinRoots';
import { memoryFiles } from './memoryFiles';

const files = memoryFiles({
  '/w': null,
  '/w/sub': null,
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
});
const others = memoryFiles({ '/w': null, '/tmp': null, '/theirs': null }, { readOnly: ['/w', '/tmp', '/theirs'] });
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
    ['further roots, each once', { writableRoots: ['/link', '/v', '/w'] }, ['/w', '/v'], ['/private']],
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
  ])('has %s', (_, own, workspace, temporary) => {
    expect(pinRoots(files, { ...settings, ...own })).toEqual({ workspace, temporary });
  });

  it('leaves out temporary folders in which this user can make nothing, but no workspace', () => {
    const tmpdir = '/theirs';
    expect(pinRoots(others, { ...settings, tmpdir })).toEqual({ workspace: ['/w'], temporary: [] });
  });
});
