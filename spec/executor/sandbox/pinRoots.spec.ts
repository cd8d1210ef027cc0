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
const secrets = () => ['/home/me/.ssh'];
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
    expect(pinRoots({ files, secrets }, { ...settings, ...own })).toEqual({ workspace, temporary });
  });

  it.each([
    ['what all users share as they do /tmp', '/shared', true],
    ['what is closed to others', '/closed', true],
    ['no folder that others can read', '/open', false],
    ['no home', '/home/me', false],
    ['nothing that holds a home', '/home', false],
    ['no place of secrets, nor a folder in one', '/home/me/.ssh/in', false],
    ['nothing that holds the workspace', '/around', false],
    ['nothing that is not there', '/gone', false],
  ])('takes for TMPDIR %s', (_, tmpdir, isTaken) => {
    const tree = { '/shared': null, '/closed': null, '/open': null, '/home': null, '/home/me': null, '/around': null };
    const more = { '/around/w': null, '/home/me/.ssh': null, '/home/me/.ssh/in': null };
    const files = memoryFiles({ ...tree, ...more }, { shared: ['/shared'], open: ['/open'] });
    const given = { ...settings, cwd: '/around/w', excludeSlashTmp: true, tmpdir };
    expect(pinRoots({ files, secrets }, given).temporary).toEqual(isTaken ? [tmpdir] : []);
  });

  it('leaves out temporary folders in which this user can make nothing, but no workspace', () => {
    const tmpdir = '/theirs';
    expect(pinRoots({ files: others, secrets }, { ...settings, tmpdir })).toEqual({ workspace: ['/w'], temporary: [] });
  });
});
