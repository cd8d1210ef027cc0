import fs from 'node:fs';
import { systemLock } from '../../../src/io/files/systemLock';

/** `/a` is the file 2427620 of the device fe:00; the process 12473 has the file 5 of the device 77 open. */
const table = (text: string) => {
  const readSync = ((_: number, bytes: Buffer) => bytes.write(text)) as unknown as typeof fs.readSync;
  const facts: Record<string, { dev: number; ino: number }> = {
    '/a': { dev: 0xfe00, ino: 2427620 },
    '/far': { dev: 0x1000_fe00_0134, ino: 7 },
    '/layered': { dev: 77, ino: 5 },
    '/proc/12473/fd/3': { dev: 77, ino: 5 },
  };
  const lstatSync = ((path: string) => facts[path]) as unknown as typeof fs.lstatSync;
  const readdirSync = ((path: string) => {
    if (path !== '/proc/12473/fd') throw new Error('EACCES');
    return ['0', '3'];
  }) as unknown as typeof fs.readdirSync;
  return systemLock({ openSync: () => 1, closeSync: () => {}, readSync, lstatSync, statSync: lstatSync, readdirSync });
};

const FLOCK = '1: FLOCK  ADVISORY  WRITE 12473 fe:00:2427620 0 EOF\n';

describe('systemLock', () => {
  it.each<[string, string, string, number | undefined]>([
    ['a lock on the file', `2: POSIX  ADVISORY  READ 1 fe:00:1 0 1\n${FLOCK}`, '/a', 12473],
    ['a lock on another file', FLOCK.replace(':2427620', ':427620'), '/a', undefined],
    ['a lock on a file of this number on another device', FLOCK.replace('fe:00', 'fe:01'), '/a', undefined],
    ['a lock on a device with long numbers', FLOCK.replace('fe:00:2427620', '1001:fe034:7'), '/far', 12473],
    [
      'a lock of a process that has the file open, on a device of another name',
      FLOCK.replace(':2427620', ':5'),
      '/layered',
      12473,
    ],
    [
      'a lock of a process whose files are not shown',
      FLOCK.replace(':2427620', ':5').replace('12473', '9'),
      '/layered',
      undefined,
    ],
    ['a lock of another kind', FLOCK.replace('FLOCK', 'POSIX'), '/a', undefined],
    ['no lock', '', '/a', undefined],
    ['no file', FLOCK, '/none', undefined],
  ])('sees %s', (_, text, path, pid) => {
    expect(table(text)(path)).toBe(pid);
  });

  it('sees none where the system shows no locks', () => {
    const openSync = () => {
      throw new Error('no /proc');
    };
    expect(systemLock({ ...fs, openSync })('/')).toBeUndefined();
  });
});
