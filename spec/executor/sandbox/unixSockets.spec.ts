import { exposedSockets, socketsToHide } from '../../../src/executor/sandbox/unixSockets';
import { memoryFiles, type Tree } from './memoryFiles';

describe('the Unix sockets of programs outside', () => {
  it('are exposed if they take connections under a name that is no absolute path', () => {
    const table = [
      'Num       RefCount Protocol Flags    Type St Inode Path',
      '0: 00000002 00000000 00010000 0001 01 10 /run/docker.sock',
      '0: 00000002 00000000 00010000 0001 01 11 @/tmp/.X11-unix/X0',
      '0: 00000002 00000000 00010000 0005 01 12 made here',
      '0: 00000003 00000000 00000000 0001 03 13 @/tmp/.X11-unix/X0',
      '0: 00000002 00000000 00000000 0002 01 14 @datagrams',
      '0: 00000002 00000000 00010000 0001 01 15',
    ];
    expect(exposedSockets(filesOf({ '/proc/net/unix': table.join('\n') }))).toEqual([
      '@/tmp/.X11-unix/X0',
      'made here',
    ]);
    expect(exposedSockets(filesOf({ '/proc/net/unix': table.slice(0, 2).join('\n') }))).toEqual([]);
    expect(exposedSockets(filesOf({}))).toBeUndefined();
  });

  it('are hidden where they are bound, where services have them, and where a container has them mounted', () => {
    const files = filesOf({
      '/proc/net/unix': [
        '0: 00000002 00000000 00010000 0001 01 10 /home/me/agent',
        '0: 00000002 00000000 00010000 0001 01 11 /home/me/.codex-rx-0123456789ab.alive',
      ].join('\n'),
      '/proc/self/mountinfo': [
        '30 1 0:5 /x /ssh\\040agent rw - tmpfs none rw',
        '31 1 0:5 /x /home rw - ext4 /dev/sda rw',
        '32 1 0:5 /x /dev/kvm rw - devtmpfs none rw',
      ].join('\n'),
      '/home': null,
      '/home/me': null,
      '/home/me/agent': { other: true },
      '/home/me/.codex-rx-0123456789ab.alive': { other: true },
      '/home/me/pipe': { other: true },
      '/ssh agent': { other: true },
      '/dev': null,
      '/dev/kvm': { other: true },
      '/run': null,
      '/run/docker.sock': { other: true },
      '/run/udev': null,
      '/run/udev/records': { other: true },
      '/mnt': null,
      '/mnt/wslg': null,
      '/mnt/wslg/PulseServer': { other: true },
      '/mnt/wslg/distro': null,
      '/mnt/wslg/distro/pipe': { other: true },
    });
    expect(socketsToHide(files)).toEqual(
      ['/home/me/agent', '/ssh agent', '/run/docker.sock', '/mnt/wslg/PulseServer'].map((path) => ({
        path,
        kind: 'file',
      })),
    );
  });
});

const filesOf = (tree: Tree) => memoryFiles({ '/proc': null, '/proc/net': null, '/proc/self': null, ...tree });
