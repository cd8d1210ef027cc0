import fs from 'node:fs';
import { join } from 'node:path';
import { type LockDeps, systemLock, type Taken, takeLock, takenText } from '../../../src/io/files/lockFile';
import { lockDeps, modeOf, openFolder, ownersOf, removeFolders, systemError } from '../../support/files';

afterAll(removeFolders);

/** The lock of a folder, and the process 8 beside ours. */
const processes = (starts: Record<number, string> = { 7: 'a', 8: 'b' }) => {
  const root = openFolder();
  const ours = lockDeps(root, starts);
  const other: LockDeps = { ...ours, owners: ownersOf({ pid: 8, start: 'b', host: 'here' }, starts) };
  return { root, path: join(root, 'locks/x.lock'), ours, other };
};

describe('takeLock', () => {
  it('gives the lock to one process until it is released', () => {
    const { path, ours, other } = processes();
    const lock = takeLock(ours, path);
    expect(modeOf(path)).toBe(0o600);
    expect(takeLock(other, path)).toEqual({
      kind: 'taken',
      holder: ours.owners.self(),
      who: 'the process 7',
      state: 'lives',
      path,
    });
    if (lock.kind === 'locked') lock.release();
    expect(takeLock(other, path).kind).toBe('locked');
    expect(fs.readdirSync(join(path, '..'))).toEqual(['x.lock']);
  });

  it.each<[string, Record<number, string>]>([
    ['has ended', {}],
    ['has ended, and another has its number', { 8: 'later' }],
  ])('takes over from a process that %s', (_, starts) => {
    const { path, ours, other } = processes({ 7: 'a', ...starts });
    takeLock(other, path);
    expect(takeLock(ours, path).kind).toBe('locked');
    expect(JSON.parse(fs.readFileSync(path, 'utf8'))).toEqual(ours.owners.self());
    expect(fs.readdirSync(join(path, '..'))).toEqual(['x.lock']);
  });

  it('does not take over from another host', () => {
    const { path, ours, other } = processes({ 7: 'a' });
    takeLock({ ...other, owners: ownersOf({ pid: 8, start: 'b', host: 'there' }, {}) }, path);
    expect(takeLock(ours, path)).toMatchObject({ kind: 'taken', holder: { host: 'there' }, state: 'unknown' });
  });

  it('respects a file that it cannot read, and names it', () => {
    const { root, path, ours } = processes();
    fs.mkdirSync(join(root, 'locks'));
    fs.writeFileSync(path, '{');
    expect(takeLock(ours, path)).toMatchObject({ kind: 'taken', holder: { pid: 0 } });
  });

  it('gives way to a process that is just taking over, unless that has crashed', () => {
    const { path, ours, other } = processes({ 7: 'a' });
    takeLock(other, path);
    fs.writeFileSync(`${path}.guard`, JSON.stringify(other.owners.self()));
    expect(takeLock(ours, path).kind).toBe('taken');
    expect(takeLock({ ...ours, now: () => Date.now() + 60_000 }, path).kind).toBe('locked');
  });

  it('leaves the lock of whoever took it over in between', () => {
    const { path, ours, other } = processes({ 7: 'a' });
    takeLock(other, path);
    const third = { pid: 9, start: 'c', host: 'here' };
    const linkSync: typeof fs.linkSync = (from, to) => {
      if (String(to).endsWith('.guard')) fs.writeFileSync(path, JSON.stringify(third));
      fs.linkSync(from, to);
    };
    const owners = ownersOf(ours.owners.self(), { 7: 'a', 9: 'c' });
    const deps = { ...ours, fs: { ...ours.fs, linkSync }, owners };
    expect(takeLock(deps, path)).toMatchObject({ kind: 'taken', holder: third });
    expect(JSON.parse(fs.readFileSync(path, 'utf8'))).toEqual(third);
  });

  describe.each(['EPERM', 'ENOTSUP', 'ENOSYS'])('on a file system whose links fail with %s', (code) => {
    const withoutLinks = (starts?: Record<number, string>) => {
      const linkSync = () => {
        throw systemError(code);
      };
      const { path, ours, other } = processes(starts);
      return {
        path,
        ours: { ...ours, fs: { ...ours.fs, linkSync } },
        other: { ...other, fs: { ...other.fs, linkSync } },
      };
    };

    it('gives the lock to one process, and that of an ended one to the next', () => {
      const { path, ours, other } = withoutLinks();
      const lock = takeLock(ours, path);
      expect([takeLock(other, path).kind, modeOf(path)]).toEqual(['taken', 0o600]);
      if (lock.kind === 'locked') lock.release();
      expect(takeLock(other, path).kind).toBe('locked');
      expect(takeLock({ ...ours, owners: ownersOf(ours.owners.self(), {}) }, path).kind).toBe('locked');
      expect(fs.readdirSync(join(path, '..'))).toEqual(['x.lock']);
    });

    it('respects a lock whose text is just being written, unless a crash left it so', () => {
      const { path, ours } = withoutLinks();
      fs.mkdirSync(join(path, '..'));
      fs.writeFileSync(path, '');
      expect(takeLock(ours, path)).toMatchObject({ kind: 'taken', holder: { pid: 0 } });
      expect(takeLock({ ...ours, now: () => Date.now() + 60_000 }, path).kind).toBe('locked');
    });
  });

  it('leaves no lock without its text where the disk is full', () => {
    const { path, ours } = processes();
    const writeSync = () => {
      throw systemError('ENOSPC');
    };
    expect(() => takeLock({ ...ours, fs: { ...ours.fs, writeSync } as never }, path)).toThrow(/disk is full/);
    expect(fs.readdirSync(join(path, '..'))).toEqual([]);
  });

  it('throws where the folder cannot be written', () => {
    const { path, ours } = processes();
    const mkdirSync = () => {
      throw systemError('EROFS');
    };
    expect(() => takeLock({ ...ours, fs: { ...ours.fs, mkdirSync } as never }, path)).toThrow(
      /file system is read-only/,
    );
  });
});

describe('takenText', () => {
  const taken: Taken = {
    kind: 'taken',
    holder: { pid: 8, start: 'b', host: 'here' },
    who: 'the process 8',
    state: 'lives',
    path: '/x.lock',
  };

  it.each<[string, Partial<Taken>, string]>([
    ['a process that lives', {}, 'by the process 8; end it, or wait until it is done'],
    [
      'a process that may live',
      { state: 'unknown' },
      'by the process 8, and whether that still runs cannot be known from here; end it, or wait until it is done. If it has ended, remove /x.lock',
    ],
    [
      'another program',
      { holder: { pid: 0, start: '', host: '' }, state: 'unknown' },
      'by whoever wrote /x.lock; remove that file if no program uses it',
    ],
  ])('names %s', (_, own, text) => {
    expect(takenText({ ...taken, ...own })).toBe(text);
  });
});

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
