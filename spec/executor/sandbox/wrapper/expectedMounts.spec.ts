import { expectedMounts, type Mount } from '../../../../src/executor/sandbox/wrapper/mountsOf';

const TABLE = [
  '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw',
  '24 27 0:6 / /dev rw,relatime - devtmpfs devtmpfs rw',
  '30 27 8:1 /volume /w/data rw - ext4 /dev/sdb rw',
  '31 27 0:9 /../.. /sys/fs/cgroup rw - cgroup2 x rw',
  '32 27 8:2 / /covered rw - ext4 /dev/sdc rw',
  '33 32 8:3 / /covered rw - ext4 /dev/sdd rw',
].join('\n');
const MOUNTS: Mount[] = [
  { kind: 'writable', path: '/w' },
  { kind: 'readOnly', path: '/w/my .git' },
  { kind: 'hiddenFile', path: '/h/.netrc' },
  { kind: 'hiddenFolder', path: '/h/.ssh' },
];
const linesOf = (kind: string, mounts = MOUNTS): string[] =>
  (expectedMounts(TABLE, mounts) ?? '').split('\n').flatMap((line) => {
    const [first, ...rest] = line.split(' ');
    return first === kind ? [rest.join(' ')] : [];
  });

describe('expectedMounts', () => {
  it('needs what is read-only and what is hidden, each as it lies outside', () => {
    expect(linesOf('need')).toEqual(['/w/my\\040.git /w/my\\040.git 254:0 ro', '/h/.ssh / new ro']);
    expect(linesOf('hide')).toEqual(['/h/.netrc /null 0:6 ro']);
    expect(linesOf('may')).toContain('/h/.netrc /null 0:6 ro');
  });

  it('lets a writable folder show what lies there outside, with the mounts in it', () => {
    expect(linesOf('may').filter((line) => line.startsWith('/w'))).toEqual([
      '/w/my\\040.git /w/my\\040.git 254:0 ro',
      '/w/data /volume 8:1 ro',
      '/w/data /volume 8:1 rw',
      '/w /w 254:0 rw',
      '/w /w 254:0 ro',
    ]);
  });

  it('lets a device be writable, and needs none', () => {
    const mounts: Mount[] = [{ kind: 'device', path: '/dev/dri' }];
    expect(linesOf('need', mounts)).toEqual([]);
    expect(linesOf('may', mounts)).toEqual(expect.arrayContaining(['/dev/dri /dri 0:6 rw', '/dev/dri /dri 0:6 ro']));
  });

  it('needs a sparse folder, and not what it shows, which may be gone', () => {
    const mounts: Mount[] = [
      { kind: 'sparse', path: '/c' },
      { kind: 'shown', path: '/c/skills' },
      { kind: 'link', path: '/c/l', target: '/t' },
    ];
    expect(linesOf('need', mounts)).toEqual(['/c / new ro']);
    expect(linesOf('may', mounts).filter((line) => line.startsWith('/c'))).toEqual([
      '/c / new ro',
      '/covered / 8:2 ro',
      '/covered / 8:3 ro',
      '/c/skills /c/skills 254:0 ro',
    ]);
  });

  it('lets every mount of the system be there, read-only, and what is made for the sandbox', () => {
    const lines = linesOf('may', []);
    expect(lines.filter((line) => line.endsWith('ro') && !line.startsWith('/proc'))).toEqual([
      '/ / 254:0 ro',
      '/dev / 0:6 ro',
      '/w/data /volume 8:1 ro',
      '/sys/fs/cgroup * 0:9 ro',
      '/covered / 8:2 ro',
      '/covered / 8:3 ro',
    ]);
    expect(lines.filter((line) => line.endsWith('rw'))).toEqual([
      ...['null', 'zero', 'full', 'random', 'urandom', 'tty'].map((name) => `/dev/${name} /${name} 0:6 rw`),
      ...['/dev / new rw', '/dev/pts / new rw'],
    ]);
  });

  it('lets a mount that is covered outside be as it was, once', () => {
    expect(linesOf('once')).toEqual(['/covered / 8:2 rw']);
  });

  it('names the devices that are known', () => {
    expect(linesOf('devices')).toEqual(['254:0 0:6 8:1 0:9 8:2 8:3']);
  });

  it('is undefined if the table does not show the root folder', () => {
    expect(expectedMounts('', MOUNTS)).toBeUndefined();
  });
});
