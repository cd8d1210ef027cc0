import { lastValueFrom, NEVER, of, toArray } from 'rxjs';
import { SandboxError } from '../../../../src/executor/sandbox/sandbox';
import {
  type FindWrapperDeps,
  type FoundWrapper,
  findWrapper,
} from '../../../../src/executor/sandbox/wrapper/findWrapper';
import type { ProcessEvent, ProcessSpec } from '../../../../src/protocol/exec/process';

const PROGRAMS: Record<string, string> = { bwrap: '/usr/bin/bwrap', bash: '/bin/bash', env: '/usr/bin/env' };

/** A process that ends with a code, or says why it does not. */
const ending = (exitCode: number, stderr = ''): ProcessEvent[] => [
  { kind: 'output', seq: 1, stream: 'stderr', chunk: Buffer.from(stderr) },
  { kind: 'exited', seq: 2, exitCode },
  { kind: 'closed', seq: 3 },
];

const DEPS: Omit<FindWrapperDeps, 'backend'> = {
  find: (name) => PROGRAMS[name],
  pinPath: () => undefined,
  mountTable: () => '',
  holdBytes: (bytes) => ({ path: `/kept/${bytes.length > 0 ? 'bytes' : 'none'}`, release: () => {} }),
  platform: 'linux',
  arch: 'x64',
};

/** `works` says of each trial how it ends. */
const finding = (works: (spec: ProcessSpec) => ProcessEvent[], own: Partial<FindWrapperDeps> = {}) => {
  const trials: string[] = [];
  const found$ = findWrapper({
    backend: {
      start: (spec) => {
        trials.push(spec.argv.join(' '));
        return of(...works(spec));
      },
    },
    ...DEPS,
    ...own,
  });
  return { found: lastValueFrom(found$.pipe(toArray())), trials };
};

const bubblewrap = {
  kind: 'bubblewrap',
  bwrap: '/usr/bin/bwrap',
  shell: ['/bin/bash', '--norc', '--noprofile', '-p'],
  env: '/usr/bin/env',
  limits: ['--unshare-user', '--disable-userns'],
  proc: 'own',
  filters: { closed: '/kept/bytes', open: '/kept/bytes', local: '/kept/bytes' },
};
const ready = (wrapper: object): FoundWrapper[] => [{ kind: 'ready', wrapper } as FoundWrapper];

describe('findWrapper', () => {
  it('takes the first set of limits that works, after one trial', async () => {
    const { found, trials } = finding(() => ending(0));
    expect(await found).toEqual(ready(bubblewrap));
    expect(trials).toEqual([expect.stringMatching(/--unshare-user --disable-userns .* -- \/bin\/sh -c :$/)]);
  });

  it('does with less if less is known, as a bubblewrap that is setuid', async () => {
    const { found, trials } = finding(({ argv }) => ending(argv.includes('--unshare-user') ? 1 : 0));
    expect(await found).toEqual(ready({ ...bubblewrap, limits: [] }));
    expect(trials).toHaveLength(5);
  });

  const NO_PROC = "bwrap: Can't mount proc on /newroot/proc: Operation not permitted\n";

  it('shows the /proc of outside if parts of it are covered, as in a container, so that none can be mounted', async () => {
    const { found, trials } = finding(({ argv }) => (argv.includes('--proc') ? ending(1, NO_PROC) : ending(0)));
    expect(await found).toEqual(ready({ ...bubblewrap, proc: 'outer' }));
    expect(trials).toEqual([
      expect.stringContaining(' --proc /proc '),
      expect.stringContaining(' --ro-bind /proc /proc '),
    ]);
  });

  it('never shows it without a user namespace: a command could reach into other processes', async () => {
    const { found, trials } = finding(({ argv }) =>
      argv.includes('--unshare-user') || argv.includes('--proc') ? ending(1, NO_PROC) : ending(0),
    );
    expect(await found).toEqual([{ kind: 'missing', remedy: expect.stringMatching(/parts of \/proc are covered/) }]);
    const outer = trials.filter((trial) => !trial.includes('--proc'));
    expect(outer.filter((trial) => !trial.includes('--unshare-user'))).toEqual([]);
  });

  it('shows it for no other reason', async () => {
    const { trials } = finding(() => ending(1, 'bwrap: Surprise\n'));
    expect(trials.filter((trial) => !trial.includes('--proc'))).toEqual([]);
  });

  it('does without an env that cannot set signals back', async () => {
    const { found } = finding(({ argv }) => ending(argv.includes('/usr/bin/env') ? 125 : 0));
    expect(await found).toEqual(ready({ ...bubblewrap, env: undefined }));
  });

  it('does with any shell', async () => {
    const { found } = finding(() => ending(0), { find: (name) => (name === 'bwrap' ? '/usr/bin/bwrap' : undefined) });
    expect(await found).toEqual(ready({ ...bubblewrap, shell: ['/bin/sh'], env: undefined }));
  });

  it.each<[string, FindWrapperDeps['backend'], number]>([
    ['keeps its filters for the commands to come', { start: () => of(...ending(0)) }, 3],
    ['keeps no file open if nothing works', { start: () => of(...ending(1)) }, 0],
    ['keeps no file open if nobody waits for its trial any more', { start: () => NEVER }, 0],
  ])('%s', (_, backend, kept) => {
    const open = new Set<object>();
    const holdBytes = () => {
      const file = { path: '/kept', release: () => void open.delete(file) };
      open.add(file);
      return file;
    };
    findWrapper({ ...DEPS, backend, holdBytes })
      .subscribe()
      .unsubscribe();
    expect(open.size).toBe(kept);
  });

  it.each([0, 1, 2, 3])('reports that files have run out, after %i of them, and keeps none open', async (most) => {
    const open = new Set<object>();
    const holdBytes = () => {
      if (open.size === most) throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
      const file = { path: '/kept', release: () => void open.delete(file) };
      open.add(file);
      return file;
    };
    const remedy = 'there is no sandbox here: EMFILE: too many open files; free some of what has run out';
    const [found] = await finding(() => ending(1), { holdBytes }).found;
    expect([found, open.size]).toEqual([{ kind: 'missing', remedy }, 0]);
  });

  it('takes the sandbox of macOS, after a trial with every rule', async () => {
    const { found, trials } = finding(() => ending(0), { platform: 'darwin' });
    expect(await found).toEqual(ready({ kind: 'seatbelt', sandboxExec: '/usr/bin/sandbox-exec' }));
    const RULES =
      /^\/usr\/bin\/sandbox-exec -p [\s\S]*file-write-unlink[\s\S]*deny file-read[\s\S]*network-outbound[\s\S]* -- \/bin\/sh -c :$/;
    expect(trials).toEqual([expect.stringMatching(RULES)]);
  });

  it.each<[string, ProcessEvent[], Partial<FindWrapperDeps>, RegExp]>([
    ['no bubblewrap', [], { find: () => undefined }, /bubblewrap is not installed; install the package bubblewrap/],
    [
      'a profile that macOS does not take',
      ending(65, 'sandbox-exec: unbound variable\n'),
      { platform: 'darwin' },
      /^sandbox-exec cannot make a sandbox on this system \(sandbox-exec: unbound variable\)$/,
    ],
    ['another system', [], { platform: 'win32' }, /no sandbox on this system \(win32\)/],
    ['another processor', [], { arch: 's390x' }, /no sandbox for this processor \(s390x\)/],
    [
      'namespaces that are closed',
      ending(1, 'bwrap: No permissions to create new namespace, likely because the kernel does not allow it.\n'),
      {},
      /^user namespaces are closed.*open them.*\(bwrap: No permissions/,
    ],
    [
      'namespaces that AppArmor closes',
      ending(1, 'bwrap: setting up uid map: Permission denied\n'),
      {},
      /^user namespaces are closed.*AppArmor profile/,
    ],
    [
      'a /proc that is covered in part',
      ending(1, "bwrap: Can't mount proc on /newroot/proc: Operation not permitted\n"),
      {},
      /^(?!.*namespaces are closed).*systempaths=unconfined.*procMount: Unmasked.*\(bwrap: Can't mount proc/,
    ],
    [
      'no place for its files',
      [],
      {
        holdBytes: () => {
          throw new SandboxError('no folder takes its temporary files; make one');
        },
      },
      /^there is no sandbox here: no folder takes its temporary files; make one$/,
    ],
    [
      'no more namespaces, as inside a sandbox',
      ending(1, 'bwrap: Creating new namespace failed: No space left on device\n'),
      {},
      /^user namespaces are closed/,
    ],
    ['an old bubblewrap', ending(1, 'bwrap: Unknown option --perms\n'), {}, /too old.*install version 0\.5/],
    [
      'anything else',
      ending(1, 'bwrap: Surprise\nmore\n'),
      {},
      /cannot make a sandbox on this system \(bwrap: Surprise\)/,
    ],
    [
      'a program that does not start',
      [{ kind: 'failed', seq: 1, reason: '/bin/bash: gone' }],
      {},
      /cannot make a sandbox on this system \(\/bin\/bash: gone\)/,
    ],
  ])('reports what is missing and the remedy: %s', async (_, events, own, remedy) => {
    const [found, ...more] = await finding(() => events, own).found;
    expect(more).toEqual([]);
    expect(found).toEqual({ kind: 'missing', remedy: expect.stringMatching(remedy) });
  });
});
