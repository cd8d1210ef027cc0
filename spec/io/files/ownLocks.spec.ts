import fs from 'node:fs';
import { join } from 'node:path';
import { type LockDeps, takeLock } from '../../../src/io/files/lockFile';
import { ownLocks } from '../../../src/io/files/ownLocks';
import { lockDeps, openFolder, ownersOf, removeFolders, systemError } from '../../support/files';

afterAll(removeFolders);

/** A process that keeps its locks together, another one, and the path of a lock. */
const processes = () => {
  const root = openFolder();
  const ours: LockDeps = { ...lockDeps(root, { 7: 'a', 8: 'b' }), own: ownLocks() };
  const other: LockDeps = {
    ...ours,
    own: ownLocks(),
    owners: ownersOf({ pid: 8, start: 'b', host: 'here' }, { 7: 'a', 8: 'b' }),
  };
  const path = (name: string) => join(root, 'locks', `${name}.lock`);
  const inoOf = (name: string) => fs.lstatSync(path(name)).ino;
  return { root, ours, other, path, inoOf };
};

const take = (deps: LockDeps, path: string) => {
  const lock = takeLock(deps, path);
  if (lock.kind !== 'locked') throw new Error(`${path} is taken`);
  return lock;
};

describe('ownLocks', () => {
  it('makes one file for all locks of a process', () => {
    const { ours, other, path, inoOf, root } = processes();
    for (const name of ['x', 'y', 'z']) take(ours, path(name));
    expect([inoOf('y'), inoOf('z')]).toEqual([inoOf('x'), inoOf('x')]);
    expect(takeLock(other, path('z'))).toMatchObject({ kind: 'taken', holder: { pid: 7 } });
    expect(fs.readdirSync(join(root, 'locks'))).toEqual(['x.lock', 'y.lock', 'z.lock']);
  });

  it('releases each by itself, the first one too', () => {
    const { ours, other, path, inoOf } = processes();
    const [x] = ['x', 'y'].map((name) => take(ours, path(name)));
    x?.release();
    expect(take(other, path('x')).kind).toBe('locked');
    take(ours, path('z'));
    expect(inoOf('z')).toBe(inoOf('y'));
    expect(inoOf('x')).not.toBe(inoOf('y'));
  });

  it('leaves a lock of another process', () => {
    const { ours, other, path } = processes();
    take(ours, path('x'));
    take(other, path('y'));
    expect(takeLock(ours, path('y'))).toMatchObject({ kind: 'taken', holder: { pid: 8 } });
  });

  it('makes a new file where its own was removed', () => {
    const { ours, path } = processes();
    take(ours, path('x'));
    fs.rmSync(path('x'));
    take(ours, path('y'));
    expect(JSON.parse(fs.readFileSync(path('y'), 'utf8'))).toEqual(ours.owners.self());
  });

  it('never names the file that somebody put in the place of its own', () => {
    const { ours, path } = processes();
    take(ours, path('x'));
    fs.renameSync(path('x'), path('old')); // its number stays in use
    fs.writeFileSync(path('x'), '{"pid":9}');
    take(ours, path('y'));
    expect(JSON.parse(fs.readFileSync(path('y'), 'utf8'))).toEqual(ours.owners.self());
    expect(fs.readFileSync(path('x'), 'utf8')).toBe('{"pid":9}');
  });

  it('makes a file for each lock where there are no links', () => {
    const { ours, path, inoOf } = processes();
    const linkSync = () => {
      throw systemError('EPERM');
    };
    const deps = { ...ours, fs: { ...ours.fs, linkSync } };
    take(deps, path('x'));
    take(deps, path('y'));
    expect(inoOf('y')).not.toBe(inoOf('x'));
  });
});
