import * as fc from 'fast-check';
import { findMount, readMountTable, rootAt, toEscaped } from '../../../../src/executor/sandbox/wrapper/mountsOf';

const TABLE = [
  '24 27 0:6 / /dev rw,relatime shared:2 - devtmpfs devtmpfs rw',
  '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw',
  '30 27 8:1 /volumes/a\\040b /data rw - ext4 /dev/sdb rw', // covered by the one of the same path
  '31 30 8:2 / /data ro shared:1 master:2 - xfs /dev/sdc rw',
  '32 27 8:3 / /mnt/deep rw - tmpfs x rw', // covered by the mount above
  '33 27 8:4 / /mnt rw - tmpfs x rw',
  'no row',
  '',
].join('\n');

describe('readMountTable', () => {
  it('reads rows with and without optional fields, and leaves out what is none', () => {
    const rows = readMountTable(TABLE);
    expect([rows.length, rows[0], rows[3]]).toEqual([
      6,
      { id: '24', parent: '27', device: '0:6', root: '/', target: '/dev', type: 'devtmpfs' },
      { id: '31', parent: '30', device: '8:2', root: '/', target: '/data', type: 'xfs' },
    ]);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(Array.isArray(readMountTable(text))).toBe(true)));
  });
});

describe('toEscaped', () => {
  it('writes what would end a field or a line as the kernel does', () => {
    expect(toEscaped('/a b\tc\nd\\e')).toBe('/a\\040b\\011c\\012d\\134e');
  });
});

describe('findMount', () => {
  const find = findMount(readMountTable(TABLE));

  it.each([
    ['/', '27'],
    ['/home/u', '27'],
    ['/dev/null', '24'],
    ['/device', '27'],
    ['/data/x', '31'],
    ['/mnt/deep/x', '33'],
  ])('finds what shows %s', (path, id) => {
    expect(find(path)?.id).toBe(id);
  });

  it('finds nothing without a root', () => {
    expect(findMount([])('/a')).toBeUndefined();
  });

  it('finds a root that is its own parent, and ends', () => {
    expect(findMount(readMountTable('1 1 8:1 / / rw - ext4 x rw'))('/a')?.id).toBe('1');
  });
});

describe('rootAt', () => {
  it.each([
    ['/', '/', '/', '/'],
    ['/', '/', '/a/b', '/a/b'],
    ['/v', '/', '/a', '/v/a'],
    ['/v', '/data', '/data', '/v'],
    ['/v', '/data', '/data/x', '/v/x'],
    ['/', '/data', '/data/x', '/x'],
  ])('of %s at %s is for %s %s', (root, target, path, expected) => {
    expect(rootAt({ id: '1', parent: '1', device: '8:1', type: 'ext4', root, target }, path)).toBe(expected);
  });
});
