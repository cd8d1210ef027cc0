import { lastValueFrom, type Observable, of, queueScheduler, toArray } from 'rxjs';
import { openSandboxes, type SandboxesDeps } from '../../../src/executor/sandbox/openSandboxes';
import type { SandboxSettings } from '../../../src/executor/sandbox/pinRoots';
import type { ProcessEvent, ProcessSpec } from '../../../src/protocol/exec/process';
import { ownersOf } from '../../support/files';
import { memoryFiles, type Tree } from './memoryFiles';

const settings: SandboxSettings = {
  mode: 'workspace-write',
  cwd: '/w',
  writableRoots: [],
  networkAccess: true,
  excludeTmpdirEnvVar: true,
  excludeSlashTmp: true,
  tmpdir: undefined,
};
const spec: ProcessSpec = { argv: ['ls'], cwd: '/w', env: {} };
const DONE: ProcessEvent[] = [
  { kind: 'exited', seq: 1, exitCode: 0 },
  { kind: 'closed', seq: 2 },
];
const all = <T>(source$: Observable<T>): Promise<T[]> => lastValueFrom(source$.pipe(toArray()));

const SOCKETS = [
  'Num       RefCount Protocol Flags    Type St Inode Path',
  '0000000000000000: 00000002 00000000 00010000 0001 01 12345 /run/docker.sock',
  '0000000000000000: 00000003 00000000 00000000 0001 03  2345',
  '0000000000000000: 00000002 00000000 00010000 0001 01 12346 /s',
  '0000000000000000: 00000002 00000000 00010000 0001 01 12348 /run/gone',
];

/** Devices, a folder behind a link, and the sockets that are bound to a path, as the kernel lists them. */
const MACHINE: Tree = {
  '/run': null,
  '/run/docker.sock': { other: true },
  '/s': { other: true },
  '/run/me': null,
  '/run/media': null,
  '/run/media/disk': { other: true },
  '/run/me/it is': { other: true },
  '/proc': null,
  '/proc/net': null,
  '/proc/net/unix': SOCKETS.join('\n'),
  '/dev': null,
  '/dev/kvm': { other: true },
  '/dev/dri': null,
  '/dev/gpu': { link: '/dev/dri' },
  '/dev/log': { link: '/run' },
};

const opening = (own: Partial<SandboxesDeps> = {}) => {
  const started: string[] = [];
  const logged: string[] = [];
  const files = memoryFiles({
    '/w': null,
    '/w/.git': null,
    '/w/.codex': null,
    '/w/.codex/config.toml': '',
    '/h': null,
    ...MACHINE,
  });
  const open = openSandboxes({
    backend: {
      start: ({ argv }) => {
        started.push(argv.slice(argv.indexOf('/usr/bin/bwrap')).join(' '));
        return of(...DONE);
      },
    },
    find: (name) => (name === 'bwrap' ? '/usr/bin/bwrap' : undefined),
    holdBytes: () => ({ path: '/kept', release: () => {} }),
    mountTable: () => '1 1 8:1 / / rw - ext4 /dev/sda rw',
    pinPath: () => ({ path: '/pinned', opens: true, release: () => {} }),
    platform: 'linux',
    arch: 'x64',
    files,
    own: [],
    closed: [],
    secrets: () => [],
    homes: [],
    sparse: () => [],
    id: '7-id',
    owners: () => ownersOf({ pid: 7, start: 'a', host: 'here' }, { 7: 'a' }),
    watch: () => () => {},
    cannotRun: () => undefined,
    later: (action) => action(),
    starts: queueScheduler,
    log: (level, message) => void logged.push(`${level}: ${message}`),
    ...own,
  });
  return { open, started, logged, files };
};

describe('openSandboxes', () => {
  it('looks for nothing before a session needs it, and then once', async () => {
    const { open, started, logged } = opening();
    const [one, other] = [open(settings), open(settings)];
    expect(started).toEqual([]);
    expect(await all(one.ready$)).toEqual([{ kind: 'ready' }]);
    expect(await all(other.asSet.start(spec))).toEqual(DONE);
    expect(started.filter((line) => line.endsWith('/bin/sh -c :'))).toHaveLength(1);
    expect(logged).toEqual([]);
  });

  it('runs commands as the settings allow, or without writing and network', async () => {
    const { open, started } = opening();
    const session = open(settings);
    await all(session.asSet.start(spec));
    await all(session.readOnly.start(spec));
    const [, asSet = '', readOnly = ''] = started;
    expect(asSet).toMatch(/--bind \/proc\/self\/fd\/6 \/w --ro-bind \/w\/\.codex/);
    expect(asSet).not.toMatch(/--unshare-net/);
    expect(readOnly).not.toMatch(/--bind/);
    expect(readOnly).toMatch(/--unshare-net/);
  });

  describe('Unix sockets', () => {
    /** Those that the sandbox of one command hides; undefined if its kernel filter lets no Unix socket be made. */
    const hiddenBy = async ({ open, started }: ReturnType<typeof opening>, own: Partial<SandboxSettings> = {}) => {
      await all(open({ ...settings, ...own }).asSet.start(spec));
      return started
        .at(-1)
        ?.match(/--ro-bind \/dev\/null \/(?:run\/me\/it is|\S+)/g)
        ?.map((option) => option.slice(20));
    };
    const HIDDEN = ['/run/docker.sock', '/run/me/it is', '/s'];
    const withX11 = () => {
      const made = opening();
      made.files.removeFile('/proc/net/unix');
      made.files.makeFile(
        '/proc/net/unix',
        [...SOCKETS, '0: 00000002 00000000 00010000 0001 01 3 @/tmp/.X11-unix/X0'].join('\n'),
      );
      return made;
    };

    it('are open with the network if all that listen have a path, which is hidden', async () => {
      const made = opening();
      expect(await hiddenBy(made)).toEqual(HIDDEN);
      expect(await hiddenBy(made, { unixSockets: false })).toBeUndefined();
      expect(made.logged).toEqual([]);
    });

    it('are closed if one has no path, and one warning names what opens them', async () => {
      const made = withX11();
      expect(await hiddenBy(made)).toBeUndefined();
      expect(await hiddenBy(made)).toBeUndefined();
      expect(made.logged).toEqual([
        expect.stringMatching(/^warning: .*"@\/tmp\/\.X11-unix\/X0".*unix_sockets = true$/),
      ]);
    });

    it('are open even then if the operator wants it', async () => {
      expect(await hiddenBy(withX11(), { unixSockets: true })).toEqual(HIDDEN);
    });

    it('are closed if the system lists none', async () => {
      const made = opening();
      made.files.removeFile('/proc/net/unix');
      expect(await hiddenBy(made)).toBeUndefined();
    });

    it.each([{ networkAccess: false }, { mode: 'read-only' as const }])(
      'are closed without a network: %j',
      async (own) => {
        expect(await hiddenBy(opening(), own)).toBeUndefined();
        expect(await hiddenBy(opening(), { ...own, unixSockets: true })).toBeUndefined();
      },
    );
  });

  it('lets the devices in that the operator names, and names which it leaves out', async () => {
    const { open, started, logged } = opening();
    const devices = ['/dev/kvm', '/dev/gpu', '/dev/nvidia0', '/dev/log', '/w', 'dev/kvm'];
    const session = open({ ...settings, devices });
    await all(session.asSet.start(spec));
    await all(session.readOnly.start(spec));
    await all(open({ ...settings, devices, mode: 'read-only' }).asSet.start(spec));
    expect(started.slice(1).map((line) => line.match(/--dev-bind \S+/g))).toEqual([
      ['--dev-bind /dev/dri', '--dev-bind /dev/kvm'],
      null,
      null,
    ]);
    expect(logged.map((line) => line.split(' ')[3])).toEqual(['/dev/nvidia0', '/dev/log', '/w', 'dev/kvm']);
  });

  it('opens no network in read-only mode', async () => {
    const { open, started } = opening();
    await all(open({ ...settings, mode: 'read-only' }).asSet.start(spec));
    expect(started.at(-1)).toMatch(/--unshare-net/);
  });

  it('has the roots that were there when the session began', async () => {
    const { open, started, files } = opening();
    const session = open({ ...settings, writableRoots: ['/later'] });
    files.makeFolder('/later');
    await all(session.asSet.start(spec));
    expect(started.at(-1)).not.toMatch(/\/later/);
  });

  it('reports what is missing, logs it once, and runs nothing', async () => {
    const { open, logged } = opening({ find: () => undefined });
    const session = open(settings);
    const [missing] = await all(session.ready$);
    expect(missing).toEqual({ kind: 'missing', remedy: expect.stringMatching(/install the package bubblewrap/) });
    const remedy = missing?.kind === 'missing' ? missing.remedy : '';
    expect(await all(session.asSet.start(spec))).toEqual([{ kind: 'failed', seq: 1, reason: remedy }]);
    expect(await all(open(settings).ready$)).toEqual([missing]);
    expect(logged).toEqual([`warning: ${remedy}`]);
  });

  it('reports each time whether the folders are as they were', async () => {
    const { open, files } = opening();
    const session = open(settings);
    expect(await all(session.ready$)).toEqual([{ kind: 'ready' }]);
    files.tree.set('/w', { link: '/h' });
    expect(await all(session.ready$)).toEqual([
      { kind: 'missing', remedy: expect.stringMatching(/^\/w has become a link since the session began/) },
    ]);
  });
});
