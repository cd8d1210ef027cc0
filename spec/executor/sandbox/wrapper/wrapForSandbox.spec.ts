import { type Sandbox, SandboxError } from '../../../../src/executor/sandbox/sandbox';
import { checkMounts } from '../../../../src/executor/sandbox/wrapper/commandInside';
import { expectedMounts, mountsOf } from '../../../../src/executor/sandbox/wrapper/mountsOf';
import { type Wrapper, wrapForSandbox } from '../../../../src/executor/sandbox/wrapper/wrapForSandbox';
import type { ProcessSpec } from '../../../../src/protocol/exec/process';
import { atOnce } from '../../../../src/streams/pausing';

const bubblewrap: Wrapper = {
  kind: 'bubblewrap',
  bwrap: '/usr/bin/bwrap',
  shell: ['/bin/bash', '-p'],
  env: '/usr/bin/env',
  limits: ['--unshare-user', '--disable-userns'],
  proc: 'own',
  filters: { closed: '/f/closed', open: '/f/open', local: '/f/local' },
};
const sandbox: Sandbox = {
  writable: ['/w'],
  readOnly: ['/w/.git'],
  hidden: [
    { path: '/h/.netrc', kind: 'file' },
    { path: '/h/.ssh', kind: 'folder' },
  ],
  network: 'closed',
};
const spec: ProcessSpec = { argv: ['touch', 'a b'], cwd: '/w/x', env: { PATH: '/bin', A: 'b\nc' }, stdin: 'pipe' };

const TABLE = '1 1 8:1 / / rw - ext4 /dev/sda rw';

/** What was kept, as text with | for NUL. */
const wrapping = (wrapper: Wrapper, box = sandbox, one = spec) => {
  const kept: string[] = [];
  const released: string[] = [];
  const holdBytes = (bytes: Uint8Array) => {
    kept.push(Buffer.from(bytes).toString().replaceAll('\0', '|'));
    return { path: `/kept/${kept.length}`, release: () => void released.push('released') };
  };
  const pinPath = (path: string) =>
    path === '/gone'
      ? undefined
      : {
          path: `/held${path}`,
          opens: !path.startsWith('/closed'),
          release: () => void released.push(`released ${path}`),
        };
  const wrap = wrapForSandbox({ holdBytes, pinPath, mountTable: () => TABLE }, wrapper);
  return { ...atOnce(wrap(box, one)), kept, released };
};

/** The arguments of bubblewrap. */
const bwrapOf = ({ argv }: ProcessSpec): string[] => argv.slice(argv.indexOf('/usr/bin/bwrap'));

describe('wrapForSandbox', () => {
  it('wraps a command with bubblewrap, its environment in a file', () => {
    const { spec: wrapped, kept } = wrapping(bubblewrap);
    const { argv, ...rest } = wrapped;
    expect(rest).toEqual({ cwd: '/', env: {}, stdin: 'pipe' });
    expect(argv.slice(0, 3)).toEqual(['/bin/bash', '-p', '-c']);
    expect(argv.slice(4, 8)).toEqual(['/f/closed', '/kept/1', '/kept/2', '/held/w']);
    expect(bwrapOf(wrapped).join(' ')).toBe(
      [
        '/usr/bin/bwrap --seccomp 3 --args 4 --unshare-user --disable-userns',
        '--unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --cap-drop ALL --die-with-parent --unshare-net',
        '--ro-bind / / --dev /dev --proc /proc --remount-ro /proc',
        '--bind /proc/self/fd/6 /w --ro-bind /w/.git /w/.git',
        '--ro-bind /dev/null /h/.netrc --perms 0000 --tmpfs /h/.ssh --remount-ro /h/.ssh --chdir /w/x --',
        `/bin/bash -p -c ${checkMounts('bash', 5)}\nexec 5<&- 6<&-\nexec "$@" sh`,
        '/usr/bin/env -u PWD -u OLDPWD -u SHLVL -u _ --default-signal=INT,TERM -- touch a b',
      ].join(' '),
    );
    expect(kept).toEqual([
      '--unsetenv|PWD|--unsetenv|OLDPWD|--unsetenv|SHLVL|--unsetenv|_|--unsetenv|CODEX_RX_PROCESS|--setenv|PATH|/bin|--setenv|A|b\nc|--setenv|CODEX_SANDBOX_NETWORK_DISABLED|1|',
      expectedMounts(TABLE, mountsOf(sandbox)),
    ]);
  });

  it('closes what was inherited and ignores signals in front of bubblewrap, with bash', () => {
    expect(wrapping(bubblewrap).spec.argv[3]?.split('\n')).toEqual([
      `for f in /proc/self/fd/*; do f=\${f##*/}; case $f in [0-2]) ;; *) eval "exec $f>&-" 2>/dev/null;; esac; done`,
      "trap '' INT TERM",
      `filter=$0 args=$1 s5=\${2} s6=\${3}`,
      'shift 3',
      'exec "$@" 3<"$filter" 4<"$args" 5<"$s5" 6<"$s6"',
    ]);
  });

  it('does with another shell, and without env, as much as they can', () => {
    const { spec: wrapped } = wrapping({ ...bubblewrap, shell: ['/bin/sh'], env: undefined });
    expect(wrapped.argv[2]).toMatch(/ \[0-9\]\) eval /);
    expect(wrapped.argv[2]).not.toMatch(/trap/);
    expect(bwrapOf(wrapped).slice(-6)).toEqual([
      ...['/bin/sh', '-c', `${checkMounts('sh', 5)}\nexec 5<&- 6<&-\nexec "$@"`, 'sh', 'touch', 'a b'],
    ]);
  });

  it('leaves the network open if it is', () => {
    const { spec: wrapped, kept } = wrapping(bubblewrap, { ...sandbox, network: 'open' });
    expect(wrapped.argv).not.toContain('--unshare-net');
    expect(wrapped.argv).toContain('/f/open');
    expect(kept[0]).not.toMatch(/NETWORK/);
  });

  it('keeps a PWD that was given, and a program that env would take for a variable', () => {
    const pwd = wrapping(bubblewrap, sandbox, { ...spec, env: { PWD: '/w/x' } });
    expect(pwd.spec.argv.join(' ')).toMatch(
      /\/usr\/bin\/env -u OLDPWD -u SHLVL -u _ --default-signal=INT,TERM -- touch a b$/,
    );
    expect(pwd.kept[0]).toMatch(/^--unsetenv\|OLDPWD\|.*--setenv\|PWD\|\/w\/x\|/);
    expect(wrapping(bubblewrap, sandbox, { ...spec, argv: ['A=b', 'c'] }).spec.argv.slice(-3)).toEqual([
      'sh',
      'A=b',
      'c',
    ]);
  });

  it('removes the file on release', () => {
    const { release, released } = wrapping(bubblewrap);
    expect(released).toEqual([]);
    release();
    expect(released).toEqual(['released /w', 'released', 'released']);
    release();
    expect(released).toHaveLength(3); // a number of a descriptor is used again
  });

  it('holds nothing if a file cannot be opened', () => {
    const released: string[] = [];
    const pinPath = (path: string) => ({ path, opens: true, release: () => void released.push(path) });
    const full = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    const holdBytes = () => {
      throw full;
    };
    const wrap = wrapForSandbox({ holdBytes, pinPath, mountTable: () => TABLE }, bubblewrap);
    expect(() => atOnce(wrap(sandbox, spec))).toThrow(full);
    expect(released).toEqual(['/w']);
  });

  it('holds nothing any more if nobody waits for it while it pauses', () => {
    const released: string[] = [];
    const pinPath = (path: string) => ({ path, opens: true, release: () => void released.push(path) });
    const holdBytes = () => ({ path: '/kept', release: () => void released.push('/kept') });
    const wrap = wrapForSandbox({ holdBytes, pinPath, mountTable: () => TABLE }, bubblewrap);
    const work = wrap(sandbox, spec);
    expect(work.next().done).toBe(false);
    work.return(undefined as never);
    expect(released).toEqual(['/w']);
  });

  it('makes no sandbox of a root that has become a link, and holds nothing', () => {
    const gone = { ...sandbox, writable: ['/a', '/gone'], readOnly: [], hidden: [] };
    expect(() => wrapping(bubblewrap, gone)).toThrow(
      new SandboxError('/gone has become a link, or is gone; begin a new session in the right folder'),
    );
  });

  it('checks nothing if nothing is writable, for no other sandbox could move what is mounted', () => {
    const { spec: wrapped, kept } = wrapping(bubblewrap, { ...sandbox, writable: [], readOnly: [] });
    expect([kept.length, wrapped.argv.slice(4, 7)]).toEqual([1, ['/f/closed', '/kept/1', '/usr/bin/bwrap']]);
    expect(bwrapOf(wrapped).join(' ')).toMatch(/--chdir \/w\/x -- \/usr\/bin\/env /);
  });

  it('mounts a folder that this user cannot list by its path, which no shell could open', () => {
    const { spec: wrapped, released, release } = wrapping(bubblewrap, { ...sandbox, writable: ['/closed', '/w'] });
    expect(wrapped.argv.slice(4, 9)).toEqual(['/f/closed', '/kept/1', '/kept/2', '/held/w', '/usr/bin/bwrap']);
    expect(bwrapOf(wrapped).join(' ')).toContain(' --bind /closed /closed --bind /proc/self/fd/6 /w ');
    release();
    expect(released).toContain('released /closed');
  });

  it('shows the /proc of outside, read-only, if no other can be mounted', () => {
    const words = bwrapOf(wrapping({ ...bubblewrap, proc: 'outer' }).spec).join(' ');
    expect(words).toContain(' --dev /dev --ro-bind /proc /proc --bind ');
    expect(words).not.toContain('--proc ');
  });

  it('makes no sandbox if the mounts cannot be read', () => {
    const deps = {
      holdBytes: () => ({ path: '', release: () => {} }),
      pinPath: () => undefined,
      mountTable: () => '',
    };
    expect(() => atOnce(wrapForSandbox(deps, bubblewrap)(sandbox, spec))).toThrow(
      new SandboxError('the mounts of this system cannot be read; mount /proc where the server runs'),
    );
  });

  it('keeps code that the environment brings from the check, not from the command', () => {
    const { spec: wrapped, kept } = wrapping(bubblewrap, sandbox, { ...spec, env: { LD_PRELOAD: '/w/x.so' } });
    expect(kept[0]).toContain('|--setenv|CODEX_RX_LD_PRELOAD|/w/x.so|');
    expect(bwrapOf(wrapped).join(' ')).toContain(
      '\ncheck\nexport LD_PRELOAD="$CODEX_RX_LD_PRELOAD"; unset CODEX_RX_LD_PRELOAD\nexec 5<&- 6<&-\nexec "$@"',
    );
  });

  it('wraps no process that is to call itself otherwise', () => {
    expect(() => wrapping(bubblewrap, sandbox, { ...spec, arg0: 'x' })).toThrow(SandboxError);
  });

  it('wraps a command with sandbox-exec, and keeps no file', () => {
    const { spec: wrapped, kept } = wrapping({ kind: 'seatbelt', sandboxExec: '/usr/bin/sandbox-exec' });
    const { argv, ...rest } = wrapped;
    expect(rest).toEqual({
      cwd: '/w/x',
      env: { PATH: '/bin', A: 'b\nc', CODEX_SANDBOX_NETWORK_DISABLED: '1' },
      stdin: 'pipe',
    });
    expect([...argv.slice(0, 2), ...argv.slice(3)]).toEqual(['/usr/bin/sandbox-exec', '-p', '--', 'touch', 'a b']);
    expect(kept).toEqual([]);
  });
});
