import fs from 'node:fs';
import { join } from 'node:path';
import { draftOf, dropOldDrafts, privateFiles, replaceFile, syncFolder } from '../../../src/io/files/privateFiles';
import { lockDeps, modeOf, openFolder, removeFolders, systemError } from '../../support/files';

afterAll(removeFolders);

describe('privateFiles', () => {
  it('writes, lists, moves and removes below its root', () => {
    const root = openFolder();
    const files = privateFiles(lockDeps(root));
    files.replace(join(root, 'a/one'), '1');
    fs.symlinkSync('/etc/passwd', join(root, 'a/link'));
    fs.mkdirSync(join(root, 'a/folder'));
    expect(files.list(join(root, 'a')).sort((x, y) => (x.name < y.name ? -1 : 1))).toEqual([
      { name: 'folder', isFolder: true },
      { name: 'one', isFolder: false },
    ]);
    files.move(join(root, 'a/one'), join(root, 'b/two'));
    expect(files.read(join(root, 'b/two'))).toBe('1');
    expect(files.facts(join(root, 'b/two'))).toEqual({
      size: 1,
      writtenMs: expect.any(Number),
      ino: expect.any(Number),
    });
    files.remove(join(root, 'b/two'));
    files.remove(join(root, 'b/two'));
    expect(files.facts(join(root, 'b/two'))).toBeUndefined();
    expect(files.list(join(root, 'none'))).toEqual([]);
    expect(() => files.tidy(join(root, 'none'))).not.toThrow();
  });

  it('looks again at a folder that it made', () => {
    const root = openFolder();
    const files = privateFiles(lockDeps(root));
    files.open(join(root, 'a/one')).close();
    fs.rmSync(join(root, 'a'), { recursive: true });
    fs.symlinkSync(openFolder(), join(root, 'a'));
    expect(() => files.open(join(root, 'a/two'))).toThrow(/links are not followed/);
  });

  it('does nothing behind a link or outside of its root', () => {
    const [root, other] = [openFolder(), openFolder()];
    const files = privateFiles(lockDeps(root));
    fs.writeFileSync(join(other, 'kept'), 'kept');
    fs.symlinkSync(other, join(root, 'link'));
    const path = join(root, 'link/kept');
    for (const act of [
      () => files.remove(path),
      () => files.move(path, join(root, 'b')),
      () => files.read(path),
      () => files.list(join(root, 'link')),
      () => files.tidy(join(root, 'link')),
      () => files.open(path),
      () => files.lock(path),
      () => files.remove(join(other, 'kept')),
    ]) {
      expect(act).toThrow(/links are not followed|is not in/);
    }
    expect(fs.readdirSync(other)).toEqual(['kept']);
  });
});

const NOW_MS = 1_000_000_000_000;

const draft = (path: string): string => draftOf({ newName: () => '0123456789ab' }, path);

const folderWith = (ages: Record<string, number>) => {
  const root = openFolder();
  for (const [name, ageMs] of Object.entries(ages)) {
    fs.writeFileSync(join(root, name), '');
    fs.utimesSync(join(root, name), 0, (NOW_MS - ageMs) / 1_000);
  }
  return { root, deps: { ...lockDeps(root), now: () => NOW_MS } };
};

describe('dropOldDrafts', () => {
  afterAll(removeFolders);

  it('removes a draft after a minute, and nothing else', () => {
    const { root, deps } = folderWith({
      [draft('a')]: 60_001,
      [draft('b')]: 60_000,
      a: 90_000,
      'a.new': 90_000,
      [`${draft('a')}.txt`]: 90_000,
    });
    fs.mkdirSync(join(root, draft('folder')));
    fs.utimesSync(join(root, draft('folder')), 0, 0);
    dropOldDrafts(deps, root);
    const kept = [draft('b'), 'a', 'a.new', `${draft('a')}.txt`, draft('folder')];
    expect(fs.readdirSync(root).sort()).toEqual(kept.sort());
  });

  it('removes only those of the files whose names begin so', () => {
    const { root, deps } = folderWith({ [draft('a')]: 90_000, [draft('b')]: 90_000 });
    dropOldDrafts(deps, root, 'a.');
    expect(fs.readdirSync(root)).toEqual([draft('b')]);
  });

  it('passes over a draft that is gone, a folder and a link, and removes the others', () => {
    const { root, deps } = folderWith({ [draft('a')]: 90_000, old: 90_000 });
    fs.mkdirSync(join(root, draft('folder')));
    fs.utimesSync(join(root, draft('folder')), 0, 0);
    fs.symlinkSync(join(root, 'old'), join(root, draft('link')));
    const readdirSync = (() => ['gone', 'folder', 'link', 'a'].map(draft)) as unknown as typeof fs.readdirSync;
    dropOldDrafts({ ...deps, fs: { ...fs, readdirSync } }, root);
    expect(fs.readdirSync(root).sort()).toEqual([draft('folder'), draft('link'), 'old'].sort());
  });

  it('leaves what cannot be removed', () => {
    const { root, deps } = folderWith({ [draft('a')]: 90_000 });
    const rmSync = () => {
      throw systemError('EPERM');
    };
    expect(() => dropOldDrafts({ ...deps, fs: { ...fs, rmSync } }, root)).not.toThrow();
    expect(() => dropOldDrafts(deps, join(root, 'none'))).not.toThrow();
  });
});

describe('replaceFile', () => {
  it('writes a private file in place of one that others may read', () => {
    const root = openFolder();
    fs.writeFileSync(join(root, 'a'), 'old', { mode: 0o644 });
    replaceFile(lockDeps(root), join(root, 'a'), 'new');
    expect(fs.readFileSync(join(root, 'a'), 'utf8')).toBe('new');
    expect(modeOf(join(root, 'a'))).toBe(0o600);
    expect(fs.readdirSync(root)).toEqual(['a']);
  });

  it('replaces a link, and leaves what it leads to', () => {
    const root = openFolder();
    fs.writeFileSync(join(root, 'target'), 'kept');
    fs.symlinkSync(join(root, 'target'), join(root, 'a'));
    replaceFile(lockDeps(root), join(root, 'a'), 'new');
    expect(fs.readFileSync(join(root, 'target'), 'utf8')).toBe('kept');
    expect(fs.lstatSync(join(root, 'a')).isFile()).toBe(true);
  });

  it('removes the draft that a crash left of this file', () => {
    const root = openFolder();
    for (const name of ['a', 'b']) {
      fs.writeFileSync(join(root, `${name}.0123456789ab.new`), 'half');
      fs.utimesSync(join(root, `${name}.0123456789ab.new`), 0, 0);
    }
    replaceFile(lockDeps(root), join(root, 'a'), 'new');
    expect(fs.readdirSync(root).sort()).toEqual(['a', 'b.0123456789ab.new']);
  });

  it.each(['writeSync', 'fsyncSync', 'renameSync'] as const)('keeps the old file where %s fails', (name) => {
    const root = openFolder();
    fs.writeFileSync(join(root, 'a'), 'old');
    const failing = {
      [name]: () => {
        throw systemError('ENOSPC');
      },
    };
    expect(() => replaceFile(lockDeps(root, undefined, failing), join(root, 'a'), 'new')).toThrow(/disk is full/);
    expect(fs.readFileSync(join(root, 'a'), 'utf8')).toBe('old');
    expect(fs.readdirSync(root)).toEqual(['a']);
  });
});

const failing = (code: string) => ({
  ...fs,
  fsyncSync: () => {
    throw systemError(code);
  },
});

describe('syncFolder', () => {
  it('writes a folder through', () => {
    const synced: number[] = [];
    syncFolder({ ...fs, fsyncSync: (fd) => void synced.push(fd) }, openFolder());
    expect(synced).toHaveLength(1);
  });

  it.each(['EINVAL', 'ENOTSUP'])('passes over a file system that cannot, with %s', (code) => {
    expect(() => syncFolder(failing(code), openFolder())).not.toThrow();
  });

  it('throws where the disk fails', () => {
    expect(() => syncFolder(failing('EIO'), openFolder())).toThrow(/EIO/);
  });
});
