import type { Sandbox } from '../../../../src/executor/sandbox/sandbox';
import { checkMounts } from '../../../../src/executor/sandbox/wrapper/commandInside';
import { mountsOf } from '../../../../src/executor/sandbox/wrapper/mountsOf';
import {
  type Bubblewrap,
  type Source,
  toArgsFile,
  toBubblewrap,
} from '../../../../src/executor/sandbox/wrapper/toBubblewrap';
import type { ProcessSpec } from '../../../../src/protocol/exec/process';

const wrapper: Bubblewrap = {
  kind: 'bubblewrap',
  bwrap: '/usr/bin/bwrap',
  shell: ['/bin/bash', '-p'],
  env: '/usr/bin/env',
  limits: ['--limit'],
  proc: 'own',
  filters: { closed: '/f/closed', open: '/f/open', local: '/f/local' },
};
const sandbox: Sandbox = { writable: ['/w'], readOnly: [], hidden: [], network: 'closed' };
const spec: ProcessSpec = { argv: ['prog', 'a b'], cwd: '/w/x', env: { A: '1' }, tty: true };

/** The argv that is started instead, from bubblewrap on. */
const argsOf = (
  own: {
    wrapper?: Partial<Bubblewrap>;
    sandbox?: Partial<Sandbox>;
    spec?: Partial<ProcessSpec>;
    sources?: readonly Source[];
  } = {},
) => {
  const whole = { ...sandbox, ...own.sandbox };
  const from = { argsPath: '/args', expectedPath: own.sources && '/expected', sources: own.sources ?? [] };
  const to = toBubblewrap({ ...wrapper, ...own.wrapper }, { ...whole, mounts: mountsOf(whole) }, from);
  return to({ ...spec, ...own.spec }).argv;
};
const scriptOf = (own: Partial<Bubblewrap>) => argsOf({ wrapper: own })[3] ?? '';
const command = (...argv: string[]) => ['--chdir', '/w/x', '--', ...argv];
const ENV = ['/usr/bin/env', '-u', 'PWD', '--default-signal=INT,TERM', '--', 'prog', 'a b'];

describe('toBubblewrap', () => {
  it('starts a shell that becomes bubblewrap, in the root folder and with no environment', () => {
    const { argv, ...rest } = toBubblewrap(
      wrapper,
      { ...sandbox, mounts: mountsOf(sandbox) },
      { argsPath: '/args', expectedPath: undefined, sources: [] },
    )(spec);
    expect(rest).toEqual({ cwd: '/', env: {}, tty: true });
    expect([argv.slice(0, 3), argv.slice(4)]).toEqual([
      ['/bin/bash', '-p', '-c'],
      [
        ...['/f/closed', '/args', '/usr/bin/bwrap', '--seccomp', '3', '--args', '4', '--limit'],
        ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--cap-drop', 'ALL'],
        ...['--die-with-parent', '--unshare-net', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
        ...['--remount-ro', '/proc', '--bind', '/w', '/w', ...command(...ENV)],
      ],
    ]);
  });

  it('keeps the network if it is open', () => {
    const args = argsOf({ sandbox: { network: 'open' } });
    expect([args[4], args.includes('--unshare-net')]).toEqual(['/f/open', false]);
  });

  it('lets Unix sockets in only with a network', () => {
    const filterOf = (network: Sandbox['network']) => argsOf({ sandbox: { network, unixSockets: true } })[4];
    expect([filterOf('open'), filterOf('closed')]).toEqual(['/f/local', '/f/closed']);
  });

  it.each<[string, Partial<Sandbox>, string]>([
    ['the whole disk', { writable: ['/'] }, '--remount-ro /proc --chdir'],
    [
      'a folder that is empty inside',
      { empty: ['/w/.git'] },
      '--bind /w /w --tmpfs /w/.git --remount-ro /w/.git --chdir',
    ],
    ['a folder that is read-only inside', { readOnly: ['/w/.git'] }, '--bind /w /w --ro-bind /w/.git /w/.git --chdir'],
    [
      'a sparse folder, which is read-only when all is in it',
      {
        sparse: [{ path: '/c', shown: ['/c/d'], links: [{ path: '/c/l', target: '/t' }] }],
        hidden: [{ path: '/c/f', kind: 'file' }],
      },
      `--tmpfs /c --ro-bind-try /c/d /c/d --symlink /t /c/l --bind /w /w --ro-bind /dev/null /c/f --remount-ro /c --chdir`,
    ],
    ['a device', { devices: ['/dev/dri'] }, '--dev /dev --proc /proc --remount-ro /proc --dev-bind /dev/dri /dev/dri'],
    ['a hidden file', { hidden: [{ path: '/h/f', kind: 'file' }] }, '--ro-bind /dev/null /h/f'],
    ['a hidden folder', { hidden: [{ path: '/h/d', kind: 'folder' }] }, '--perms 0000 --tmpfs /h/d --remount-ro /h/d'],
  ])('mounts %s', (_, own, mounts) => {
    const args = argsOf({ sandbox: own });
    expect(args.join(' ')).toContain(mounts);
    expect(args.includes('--ro-bind') && args[args.indexOf('--dev') - 3]).toBe(own.writable ? false : '--ro-bind');
  });

  it.each<[string, Parameters<typeof argsOf>[0], string[]]>([
    [
      'with the PWD that it was given',
      { spec: { env: { PWD: '/w' } } },
      ['/usr/bin/env', '--default-signal=INT,TERM', '--', 'prog', 'a b'],
    ],
    ['as it stands where signals cannot be set back', { wrapper: { env: undefined } }, ['prog', 'a b']],
    ['as it stands where env would take it for a variable', { spec: { argv: ['a=b', 'c'] } }, ['a=b', 'c']],
  ])('runs the command %s', (_, own, inside) => {
    expect(argsOf(own).slice(-inside.length - 3)).toEqual(command(...inside));
  });

  it('binds what is held open, and closes it before the command', () => {
    const sources = ['/w', '/v'].map((target) => ({ target, path: `/held${target}` }));
    const args = argsOf({ sandbox: { writable: ['/w', '/v'] }, sources });
    expect(args.slice(4, 9)).toEqual(['/f/closed', '/args', '/expected', '/held/w', '/held/v']);
    expect(args[3]?.split('\n').slice(-3)).toEqual([
      `filter=$0 args=$1 s5=\${2} s6=\${3} s7=\${4}`,
      'shift 4',
      'exec "$@" 3<"$filter" 4<"$args" 5<"$s5" 6<"$s6" 7<"$s7"',
    ]);
    expect(args.join(' ')).toContain('--bind /proc/self/fd/7 /v --bind /proc/self/fd/6 /w');
    expect(args.slice(args.indexOf('--') + 1)).toEqual([
      ...['/bin/bash', '-p', '-c', `${checkMounts('bash', 5)}\nexec 5<&- 6<&- 7<&-\nexec "$@"`, 'sh', '/usr/bin/env'],
      ...['-u', 'PWD', '-u', 'OLDPWD', '-u', 'SHLVL', '-u', '_', '--default-signal=INT,TERM', '--', 'prog', 'a b'],
    ]);
  });

  it('binds by their paths what a shell has no descriptors for', () => {
    const writable = ['/a', '/b', '/c', '/d', '/e', '/f'];
    const sources = writable.map((target) => ({ target, path: `/held${target}` }));
    const args = argsOf({ wrapper: { shell: ['/bin/sh'] }, sandbox: { writable }, sources }).join(' ');
    expect(args).toContain('--bind /proc/self/fd/9 /d --bind /e /e --bind /f /f');
  });

  it('closes the descriptors that the shell can close, and ignores signals if they are set back', () => {
    expect(scriptOf({})).toContain('[0-2]) ;; *) eval');
    expect(scriptOf({ shell: ['/bin/sh', '-p'] })).toContain('[0-2]) ;; [0-9]) eval');
    expect([scriptOf({}), scriptOf({ env: undefined })].map((text) => text.includes("trap '' INT TERM"))).toEqual([
      true,
      false,
    ]);
    expect(scriptOf({}).split('\n').slice(-3)).toEqual([
      'filter=$0 args=$1',
      'shift 1',
      'exec "$@" 3<"$filter" 4<"$args"',
    ]);
  });
});

describe('toArgsFile', () => {
  const options = (own: Partial<Sandbox>, env: Record<string, string>) =>
    Buffer.from(toArgsFile({ ...sandbox, ...own }, { ...spec, env }))
      .toString()
      .split('\0');

  it('sets the variables of the command, and unsets those of the shell and the mark', () => {
    expect(options({ network: 'open' }, { PWD: '/w', A: 'b\nc' })).toEqual([
      ...['--unsetenv', 'OLDPWD', '--unsetenv', 'SHLVL', '--unsetenv', '_'],
      ...['--unsetenv', expect.any(String), '--setenv', 'PWD', '/w', '--setenv', 'A', 'b\nc', ''],
    ]);
  });

  it('marks a closed network', () => {
    expect(options({}, {}).slice(-4)).toEqual(['--setenv', 'CODEX_SANDBOX_NETWORK_DISABLED', '1', '']);
  });
});
