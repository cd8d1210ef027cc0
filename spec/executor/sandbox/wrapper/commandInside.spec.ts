import {
  checkMounts,
  commandInside,
  type InsideDeps,
  isBash,
  toCheckedEnv,
} from '../../../../src/executor/sandbox/wrapper/commandInside';

const bash: InsideDeps = { shell: ['/bin/bash', '-p'], env: '/usr/bin/env', fds: [] };
const inside = (own: Partial<InsideDeps>, env: Record<string, string> = {}, argv = ['prog', 'a b']) =>
  commandInside({ ...bash, ...own }, { argv, cwd: '/', env });
const RUN = ['--default-signal=INT,TERM', '--', 'prog', 'a b'];

describe('commandInside', () => {
  it('sets signals back', () => {
    expect(inside({})).toEqual(['/usr/bin/env', '-u', 'PWD', ...RUN]);
  });

  it('checks the mounts, closes what was open for them, and takes away what shells add', () => {
    const script = `${checkMounts('bash', 5)}\nexec 5<&- 6<&-\nexec "$@"`;
    const without = ['-u', 'OLDPWD', '-u', 'SHLVL', '-u', '_'];
    expect(inside({ fds: [5, 6] }, { PWD: '/w' })).toEqual([
      ...['/bin/bash', '-p', '-c', script, 'sh', '/usr/bin/env', ...without, ...RUN],
    ]);
  });

  it('checks them with a shell that is not bash', () => {
    const script = `${checkMounts('sh', 5)}\nexec 5<&-\nexec "$@"`;
    expect(inside({ shell: ['/bin/sh'], fds: [5], env: undefined })).toEqual([
      '/bin/sh',
      '-c',
      script,
      'sh',
      'prog',
      'a b',
    ]);
  });

  it('gives the command what brings code only after the check', () => {
    const [, , , script] = inside({ fds: [5] }, { LD_PRELOAD: 'x', LDFLAGS: 'y', 'LD_A;b': 'z' });
    expect(script?.split('\ncheck\n')[1]).toBe(
      'export LD_PRELOAD="$CODEX_RX_LD_PRELOAD"; unset CODEX_RX_LD_PRELOAD\nexec 5<&-\nexec "$@"',
    );
  });

  it('starts as it stands what env would take for a variable', () => {
    expect(inside({}, {}, ['a=b', 'c'])).toEqual(['a=b', 'c']);
  });
});

describe('toCheckedEnv', () => {
  it('renames what brings code into the shell of the check', () => {
    expect(toCheckedEnv({ LD_PRELOAD: 'x', GLIBC_TUNABLES: 'y', PATH: '/bin', LD: 'z' })).toEqual({
      CODEX_RX_LD_PRELOAD: 'x',
      CODEX_RX_GLIBC_TUNABLES: 'y',
      PATH: '/bin',
      LD: 'z',
    });
  });
});

describe('isBash', () => {
  it('goes by the name of the program', () => {
    expect([['/usr/bin/bash', '-p'], ['/bin/sh'], []].map(isBash)).toEqual([true, false, false]);
  });
});
