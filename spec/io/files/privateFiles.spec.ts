import fs from 'node:fs';
import { join } from 'node:path';
import { privateFiles } from '../../../src/io/files/privateFiles';
import { lockDeps, openFolder, removeFolders } from '../../support/files';

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

  it('looks again at a folder when the task is over', () => {
    const root = openFolder();
    const ends: (() => void)[] = [];
    const files = privateFiles({ ...lockDeps(root), afterTask: (run) => void ends.push(run) });
    files.open(join(root, 'a/one')).close();
    files.open(join(root, 'a/two')).close();
    expect(ends).toHaveLength(1);
    fs.rmSync(join(root, 'a'), { recursive: true });
    fs.symlinkSync(openFolder(), join(root, 'a'));
    ends.pop()?.();
    expect(() => files.open(join(root, 'a/three'))).toThrow(/links are not followed/);
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
