import { boundElsewhere, boundHere, mountsHere } from '../../../src/executor/sandbox/socketTables';
import { memoryFiles } from './memoryFiles';

describe('the list of the Unix sockets that programs have bound', () => {
  it('has a name and whether it takes connections, but no sign of a server of this program, and no socket without a name', () => {
    const text = [
      'Num       RefCount Protocol Flags    Type St Inode Path',
      '0000000000000000: 00000002 00000000 00010000 0001 01 21 /run/agent of me',
      '0000000000000000: 00000003 00000000 00000000 0001 03 22',
      '0000000000000000: 00000002 00000000 00000000 0002 01 23  begins with a space',
      '0000000000000000: 00000002 00000000 00010000 0001 01 24 /home/.codex-rx-0123456789ab.alive',
    ].join('\n');
    const files = memoryFiles({ '/proc': null, '/proc/net': null, '/proc/net/unix': text });
    expect(boundHere(files)).toEqual([
      { name: '/run/agent of me', listens: true },
      { name: 'begins with a space', listens: false },
    ]);
    expect(boundHere(memoryFiles({}))).toBeUndefined();
  });

  it('is read once for the processes of a namespace, whose mounts may differ', () => {
    const process = (id: string, mounts: string) => ({
      [`/proc/${id}`]: null,
      [`/proc/${id}/net`]: null,
      [`/proc/${id}/net/unix`]: '0: 00000002 00000000 00010000 0001 01 30 /data/socket',
      [`/proc/${id}/mountinfo`]: mounts,
    });
    const files = memoryFiles({
      '/proc': null,
      '/proc/self': null,
      '/proc/self/mountinfo': '20 1 0:1 / / rw - ext4 /dev/sda rw',
      ...process('7', '50 1 0:9 / / rw - overlay none rw'),
      ...process('8', ['60 1 0:9 / / rw - overlay none rw', '61 60 0:1 /srv /data rw - ext4 /dev/sda rw'].join('\n')),
      ...process('9', '50 1 0:9 / / rw - overlay none rw'),
      '/srv': null,
      '/srv/socket': { other: true },
    });
    const readText = jest.fn(files.readText);
    const bound = boundElsewhere({ ...files, readText }, mountsHere(files));
    expect(new Set(bound?.map(({ name }) => name))).toEqual(new Set(['/srv/socket']));
    expect(readText.mock.calls.flat()).toEqual(['/proc/7/net/unix', '/proc/9/mountinfo', '/proc/8/mountinfo']);
  });
});
