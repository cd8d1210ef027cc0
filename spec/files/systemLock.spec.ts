import fs from 'node:fs';
import { systemLock } from '../../src/files';

const table = (text: string) => {
  const readSync = ((_: number, bytes: Buffer) => bytes.write(text)) as unknown as typeof fs.readSync;
  const lstatSync = ((path: string) =>
    path === '/none' ? undefined : { ino: 2427620 }) as unknown as typeof fs.lstatSync;
  return systemLock({ openSync: () => 1, closeSync: () => {}, readSync, lstatSync });
};

const FLOCK = '1: FLOCK  ADVISORY  WRITE 12473 fe:00:2427620 0 EOF\n';

describe('systemLock', () => {
  it.each<[string, string, string, number | undefined]>([
    ['a lock on the file', `2: POSIX  ADVISORY  READ 1 fe:00:1 0 1\n${FLOCK}`, '/a', 12473],
    ['a lock on another file', FLOCK.replace(':2427620', ':427620'), '/a', undefined],
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
