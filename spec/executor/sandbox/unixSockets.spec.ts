import { outsideSockets, removeStandIns } from '../../../src/executor/sandbox/unixSockets';
import { memoryFiles, type Tree } from './memoryFiles';

describe('the Unix sockets of programs outside', () => {
  describe('are exposed', () => {
    it('if they take connections under a name that is no absolute path', () => {
      const table = [
        'Num       RefCount Protocol Flags    Type St Inode Path',
        bound('/run/docker.sock'),
        bound('@/tmp/.X11-unix/X0'),
        bound('made here'),
        bound('/proc/self/fd/5/agent'),
        '3: 00000003 00000000 00000000 0001 03 13 @/tmp/.X11-unix/X0',
        '4: 00000002 00000000 00000000 0002 01 14 @datagrams',
        '5: 00000002 00000000 00010000 0001 01 15',
      ];
      const exposedBy = (lines: string[]) =>
        exposed(filesOf({ '/proc/net/unix': lines.join('\n'), '/run': null, '/run/docker.sock': { other: true } }));
      expect(exposedBy(table)).toEqual(['@/tmp/.X11-unix/X0', 'made here', '/proc/self/fd/5/agent'].map(withoutPlace));
      expect(exposedBy(table.slice(0, 2))).toEqual([]);
      expect(exposed(filesOf({}))).toBeUndefined();
    });

    it('if a command may have moved them from where they were bound', () => {
      const names = [
        '/w/moved/agent',
        '/w/link/agent',
        '/w/file',
        '/w/closed/agent',
        '/of/others/agent',
        '/gone/agent',
      ];
      const files = memoryFiles(
        {
          ...SYSTEM,
          '/proc/net/unix': names.map(bound).join('\n'),
          '/w': null,
          '/w/link': { link: '/nowhere' },
          '/w/file': 'text',
          '/w/closed': null,
          '/of': null,
          '/run': null,
          '/of/others': null,
        },
        { readOnly: ['/', '/w/closed', '/of/others'], foreign: ['/', '/of/others'] },
      );
      expect(exposed(files)).toEqual(
        ['/w/moved/agent', '/w/link/agent', '/w/file', '/w/closed/agent'].map(withoutPlace),
      );
    });

    it('if they have another name, or a command put something else in their place', () => {
      const names = ['/w/linked', '/w/alone', '/run/linked', '/w/pipe'];
      const files = memoryFiles(
        { ...SYSTEM, '/proc/net/unix': names.map(bound).join('\n'), '/w': null, '/run': null, ...sockets(names) },
        { linked: ['/w/linked', '/run/linked'], pipes: ['/w/pipe'] },
      );
      expect(exposed(files)).toEqual(['/w/linked', '/w/pipe'].map(withoutPlace));
    });

    it('if another user may take them away in a folder that all users share, unless no command could connect', () => {
      const names = ['/tmp/d/theirs', '/tmp/closed', '/tmp/mine', '/run/theirs'];
      const files = memoryFiles(
        {
          ...SYSTEM,
          '/proc/net/unix': names.map(bound).join('\n'),
          '/tmp': null,
          '/tmp/d': null,
          '/run': null,
          ...sockets(names),
        },
        { shared: ['/tmp'], foreign: ['/tmp/d/theirs', '/run/theirs'], foreignClosed: ['/tmp/closed'] },
      );
      expect(exposed(files)).toEqual(['another user can remove "/tmp/d/theirs" while a sandbox hides it']);
      expect(hidden(files)).toEqual(['/tmp/d/theirs', '/tmp/mine', '/run/theirs']);
    });

    it('if the disk is that of programs in another network namespace', () => {
      const bus = '/run/dbus/system_bus_socket';
      const tree = { '/proc/net/unix': '', '/run': null, '/run/dbus': null, ...sockets([bus]) };
      const mounts = (row: string) => ['20 1 0:1 / / rw - ext4 /dev/sda rw', row].join('\n');
      const disk = mounts('21 20 0:2 / /run rw - tmpfs none rw');
      expect(exposed(filesOf({ ...tree, '/proc/self/mountinfo': disk }))).toEqual([
        'the programs of this system, such as that of "/run/dbus/system_bus_socket", are in another network namespace than this server',
      ]);
      expect(exposed(filesOf({ ...tree, '/proc/self/mountinfo': disk, '/proc/net/unix': bound(bus) }))).toEqual([]);
      const shared = mounts('21 20 0:2 /dbus /run/dbus rw - tmpfs none rw');
      expect(exposed(filesOf({ ...tree, '/proc/self/mountinfo': shared }))).toEqual([]);
    });

    it('if they were moved, or have no absolute path, and their program is in another network namespace, with the same root folder', () => {
      const names = ['/w/moved/agent', 'made here', '@/in/its/namespace'];
      const files = (mounts: string) =>
        filesOf({ ...inNamespace('7', { bound: names, mounts }), '/proc/self/mountinfo': DISK, '/w': null });
      expect(exposed(files(DISK))).toEqual(['/w/moved/agent', 'made here'].map(withoutPlace));
      expect(exposed(files('40 1 0:9 / / rw - overlay none rw'))).toEqual([]);
    });

    it('if those of another network namespace, and the mounts there, are too many to be looked at', () => {
      const mounts = Array.from({ length: 1_000 }, (_, i) => `${i} 1 0:9 / / rw - overlay none rw`).join('\n');
      const names = Array.from({ length: 201 }, (_, i) => `/run/${i}`);
      const by = (bound: string[]) => exposed(filesOf(inNamespace('7', { bound, mounts })));
      expect(by(names.slice(1))).toEqual([]);
      expect(by(names)).toEqual(['those of other network namespaces are too many to be looked at']);
    });

    it('if they are too many to be hidden', () => {
      const names = Array.from({ length: 301 }, (_, i) => `/s${i}`);
      const of = (some: string[]) =>
        exposed(filesOf({ '/proc/net/unix': some.map(bound).join('\n'), ...sockets(names) }));
      expect(of(names.slice(1))).toEqual([]);
      expect(of(names)).toEqual(['there are 301 to hide, and 300 are the limit']);
      const files = filesOf({ '/proc/net/unix': names.map(bound).join('\n'), ...sockets(names) });
      expect(hidden(files)).toEqual([]);
      expect(outsideSockets(files, ['/w'], 301).hidden).toHaveLength(301);
    });
  });

  describe('are hidden', () => {
    it('where they are bound, where services have them, and where a container has them mounted', () => {
      const files = filesOf({
        '/proc/net/unix': ['/home/me/agent', '/home/me/.codex-rx-0123456789ab.alive'].map(bound).join('\n'),
        '/proc/self/mountinfo': [
          '30 1 0:5 /x /ssh\\040agent rw - tmpfs none rw',
          '31 1 0:5 /x /home rw - ext4 /dev/sda rw',
          '32 1 0:5 /x /dev/kvm rw - devtmpfs none rw',
        ].join('\n'),
        '/home': null,
        '/home/me': null,
        ...sockets(['/home/me/agent', '/home/me/.codex-rx-0123456789ab.alive', '/home/me/pipe', '/ssh agent']),
        '/dev': null,
        '/run': null,
        '/run/udev': null,
        '/mnt': null,
        '/mnt/wslg': null,
        '/mnt/wslg/distro': null,
        ...sockets(['/dev/kvm', '/run/docker.sock', '/run/udev/records', '/mnt/wslg/PulseServer']),
        ...sockets(['/mnt/wslg/distro/pipe']),
      });
      expect(hidden(files)).toEqual(['/home/me/agent', '/run/docker.sock', '/mnt/wslg/PulseServer', '/ssh agent']);
    });

    it('in a folder that is mounted, but for the workspace, whose sockets are those of its commands', () => {
      const files = filesOf({
        '/proc/self/mountinfo': [
          '30 1 0:5 / / rw - overlay none rw',
          '31 30 0:6 /shared /sockets rw - ext4 /dev/sda rw',
          '32 30 0:6 /project /w rw - ext4 /dev/sda rw',
        ].join('\n'),
        '/sockets': null,
        '/w': null,
        ...sockets(['/sockets/agent', '/w/left by a command']),
      });
      expect(hidden(files)).toEqual(['/sockets/agent']);
    });

    it('if their program is in another network namespace, and is seen', () => {
      const files = filesOf({
        ...inNamespace('7', { bound: ['/link/agent'], mounts: DISK.replace('20 1', '40 1') }),
        ...inNamespace('8', {
          bound: ['/var/run/db/socket', '/run/inside'],
          mounts: ['50 1 0:9 / / rw - overlay none rw', '51 50 0:1 /home/db /run/db rw - ext4 /dev/sda rw'].join('\n'),
        }),
        '/proc/9': null,
        '/proc/self/mountinfo': DISK,
        '/link': { link: '/home' },
        '/home': null,
        '/home/db': null,
        ...sockets(['/home/agent', '/home/db/socket', '/run/inside']),
      });
      expect(hidden(files)).toEqual(['/home/agent', '/home/db/socket']);
      expect(exposed(files)).toEqual([]);
    });

    it('at each path at which a mount shows them', () => {
      const files = filesOf({
        '/proc/net/unix': bound('/run/user/1/bus'),
        '/proc/self/mountinfo': [
          '30 1 0:5 / / rw - overlay none rw',
          '31 30 0:6 / /run/user/1 rw - tmpfs none rw',
          '32 30 0:7 / /run/host rw - ext4 /dev/sda rw',
          '33 32 0:6 / /run/host/run/user/1 rw - tmpfs none rw',
          '34 30 0:6 /bus /a\\040bus rw - tmpfs none rw',
          '35 30 0:6 /other /other rw - tmpfs none rw',
        ].join('\n'),
        '/run': null,
        '/run/user': null,
        '/run/user/1': null,
        '/run/host': null,
        '/run/host/run': null,
        '/run/host/run/user': null,
        '/run/host/run/user/1': null,
        ...sockets(['/run/user/1/bus', '/run/host/run/user/1/bus', '/a bus']),
      });
      expect(hidden(files)).toEqual(['/run/user/1/bus', '/a bus', '/run/host/run/user/1/bus']);
    });
  });
});

const SYSTEM: Tree = { '/proc': null, '/proc/net': null, '/proc/self': null };

const DISK = '20 1 0:1 / / rw - ext4 /dev/sda rw';

/** A process and what it is in, and one in the namespace of this server. */
const inNamespace = (id: string, { bound: names, mounts }: { bound: string[]; mounts: string }): Tree => ({
  '/proc/net/unix': '0: 00000002 00000000 00000000 0002 01 10',
  '/proc/1': null,
  '/proc/1/net': null,
  '/proc/1/net/unix': '0: 00000002 00000000 00000000 0002 01 10',
  [`/proc/${id}`]: null,
  [`/proc/${id}/net`]: null,
  [`/proc/${id}/net/unix`]: names.map(bound).join('\n'),
  [`/proc/${id}/mountinfo`]: mounts,
});

const filesOf = (tree: Tree) => memoryFiles({ ...SYSTEM, ...tree });

const exposed = (files: ReturnType<typeof memoryFiles>) => outsideSockets(files, ['/w']).exposed;

const hidden = (files: ReturnType<typeof memoryFiles>) =>
  outsideSockets(files, ['/w']).hidden.flatMap(({ path, kind }) => (kind === 'file' ? [path] : []));

const withoutPlace = (name: string) => `a program listens on "${name}", and a sandbox can only hide a path`;

/** A line of the table of the kernel. */
const bound = (name: string) => `0: 00000002 00000000 00010000 0001 01 10 ${name}`;

const sockets = (paths: readonly string[]): Tree => Object.fromEntries(paths.map((path) => [path, { other: true }]));

describe('removeStandIns', () => {
  it('removes empty files of this user that stand where sockets were', () => {
    const tree: Tree = { '/t': null, '/t/made': '', '/t/socket': { other: true }, '/t/text': 'x', '/t/of another': '' };
    const files = memoryFiles(tree, { foreign: ['/t/of another'] });
    const sockets = [...Object.keys(tree), '/t/gone'].map((path) => ({ path, kind: 'file' as const }));
    removeStandIns(files, sockets);
    expect([...files.tree.keys()]).toEqual(['/', '/t', '/t/socket', '/t/text', '/t/of another']);
  });
});
