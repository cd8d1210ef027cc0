import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenFolder } from '../../../src/executor/applying/disk';
import { localDisk } from '../../../src/executor/localPatch/patchHere';
import { isSystemError } from '../../../src/executor/systemErrors';
import { newFolder, put, textsIn } from './files';

/** Where files have no names by descriptors, the paths are used. */
const PLATFORMS = [...(process.platform === 'linux' ? ['linux'] : []), 'darwin'];

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe.each(PLATFORMS)('localDisk on %s', (platform) => {
  const root = newFolder();
  const disk = localDisk({ platform });
  let count = 0;

  const inFolder = async (run: (folder: OpenFolder, path: string) => Promise<void>): Promise<void> => {
    const path = join(root, `${++count}`);
    mkdirSync(path);
    const folder = await disk.openFolder(path);
    await run(folder, path).finally(() => folder.close());
  };

  it('makes, reads, links, renames and removes files', () =>
    inFolder(async (folder, path) => {
      await folder.create('a', { bytes: bytes('a\n'), mode: 0o640 });
      await folder.link('a', 'b');
      expect((await folder.entry('a'))?.id).toBe((await folder.entry('b'))?.id);
      await folder.create('c', { bytes: bytes('c\n'), mode: 'default' });
      await folder.rename('c', 'a');
      expect(textsIn(path)).toEqual({ a: 'c\n', b: 'a\n' });
      expect((await folder.read('b')).toString()).toBe('a\n');
      expect(statSync(join(path, 'b')).mode & 0o777).toBe(0o640);
      expect(statSync(join(path, 'a')).mode & 0o777).toBe(0o666 & ~process.umask());
      await folder.remove('a');
      await folder.sync();
      expect(textsIn(path)).toEqual({ b: 'a\n' });
      expect(await folder.entry('a')).toBeUndefined();
    }));

  it('makes and removes folders', () =>
    inFolder(async (folder, path) => {
      await folder.makeFolder('d');
      await folder.makeFolder('d'); // somebody else may have made it
      const inner = await disk.openFolder(join(path, 'd'));
      await inner.create('f', { bytes: bytes(''), mode: 'default' });
      await inner.close();
      await expect(folder.removeFolder('d')).rejects.toMatchObject({ code: 'ENOTEMPTY' });
      expect(await folder.entry('d')).toMatchObject({ kind: 'folder' });
      writeFileSync(join(path, 'f'), '');
      await expect(folder.makeFolder('f')).rejects.toMatchObject({ code: 'EEXIST' });
    }));

  it('never writes over a file', () =>
    inFolder(async (folder, path) => {
      put(path, 'a', 'mine\n');
      await expect(folder.create('a', { bytes: bytes('x'), mode: 'default' })).rejects.toMatchObject({
        code: 'EEXIST',
      });
      await folder.create('b', { bytes: bytes('x'), mode: 'default' });
      await expect(folder.link('b', 'a')).rejects.toMatchObject({ code: 'EEXIST' });
      expect(readFileSync(join(path, 'a'), 'utf8')).toBe('mine\n');
    }));

  it('does not follow a link that a name is', () =>
    inFolder(async (folder, path) => {
      put(root, 'outside', 'secret\n');
      symlinkSync(join(root, 'outside'), join(path, 'link'));
      expect(await folder.entry('link')).toMatchObject({ kind: 'link' });
      await expect(folder.read('link')).rejects.toMatchObject({ code: 'ELOOP' });
      await expect(folder.create('link', { bytes: bytes('x'), mode: 0o644 })).rejects.toMatchObject({ code: 'EEXIST' });
      await folder.create('new', { bytes: bytes('new\n'), mode: 0o644 });
      await folder.rename('new', 'link');
      expect([textsIn(path), readFileSync(join(root, 'outside'), 'utf8')]).toEqual([{ link: 'new\n' }, 'secret\n']);
    }));

  it('does not open a folder by way of a link', () =>
    inFolder(async (_, path) => {
      put(path, 'real/deep/f', '');
      symlinkSync('real', join(path, 'link'));
      for (const way of ['link', 'link/deep', 'real/deep/f']) {
        const error = await disk.openFolder(join(path, way)).catch((reason: unknown) => reason);
        expect([way, isSystemError(error, 'ENOTDIR', 'ELOOP')]).toEqual([
          way,
          way !== 'real/deep/f' || platform === 'linux',
        ]);
      }
      await expect(disk.openFolder(join(path, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
    }));

  it('means the folder that was opened, or nothing, when another takes its path', () =>
    inFolder(async (_, path) => {
      put(path, 'd/f', 'mine\n');
      put(root, 'target/f', 'other\n');
      const folder = await disk.openFolder(join(path, 'd'));
      renameSync(join(path, 'd'), join(path, 'moved'));
      symlinkSync(join(root, 'target'), join(path, 'd'));
      const read = await folder.read('f').then(String, (error: Error) => error.message);
      expect(platform === 'linux' ? read === 'mine\n' : /link leads there/.test(read)).toBe(true);
      await folder.create('g', { bytes: bytes('g\n'), mode: 'default' }).catch(() => {});
      expect(textsIn(join(root, 'target'))).toEqual({ f: 'other\n' });
      await folder.close();
    }));

  it('leaves no descriptor open', async () => {
    if (platform !== 'linux') return;
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    await inFolder(async (folder) => folder.sync());
    await disk.openFolder(join(root, 'none', 'such')).catch(() => {});
    expect(open()).toBe(before);
  });
});
