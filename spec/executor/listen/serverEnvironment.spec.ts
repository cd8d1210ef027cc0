import { tmpdir } from 'node:os';
import { serverEnvironment } from '../../../src/executor/listen/openSessions';
import type { ProcessInfo } from '../../../src/io/serverProcess/serverProcess';

const processInfo = {
  env: { SHELL: '/usr/bin/zsh' },
  cwd: '/work',
  home: '/h',
  platform: 'darwin',
  version: '1.2.3',
} as const;

describe('serverEnvironment', () => {
  it('has the shell of the user, the folders and the version of this process', () => {
    expect(serverEnvironment(processInfo)).toEqual({
      shell: { name: 'zsh', path: '/usr/bin/zsh' },
      version: '1.2.3',
      cwd: '/work',
      home: '/h',
      tempDir: tmpdir(),
      platform: 'macos',
    });
  });

  it.each(['', undefined])('takes /bin/sh where SHELL is %j', (SHELL) => {
    expect(serverEnvironment({ ...processInfo, env: { SHELL } }).shell).toEqual({ name: 'sh', path: '/bin/sh' });
  });

  it.each([
    ['win32', 'windows'],
    ['linux', 'linux'],
    ['freebsd', 'freebsd'],
  ])('names the platform %s as Codex does: %s', (platform, expected) => {
    expect(serverEnvironment({ ...processInfo, platform: platform as ProcessInfo['platform'] }).platform).toBe(
      expected,
    );
  });
});
