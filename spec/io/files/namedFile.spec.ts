import fs from 'node:fs';
import { join } from 'node:path';
import { openNamed, openNamedLog } from '../../../src/io/files/namedFile';
import { modeOf, openFolder, removeFolders } from '../../support/files';

afterAll(removeFolders);

const appended = (path: string, text: string) => {
  const file = openNamed(fs, path);
  file.append(Buffer.from(text));
  file.close();
};

describe('openNamed', () => {
  let folder = '';
  beforeEach(() => {
    folder = openFolder();
  });

  it('makes a private file, and adds to it', () => {
    const path = join(folder, 'a');
    appended(path, 'one');
    appended(path, 'two');
    expect([fs.readFileSync(path, 'utf8'), modeOf(path)]).toEqual(['onetwo', 0o600]);
  });

  it('makes a file private that others could read', () => {
    const path = join(folder, 'a');
    fs.writeFileSync(path, '', { mode: 0o644 });
    appended(path, 'x');
    expect(modeOf(path)).toBe(0o600);
  });

  it('refuses a link, and leaves alone what it leads to', () => {
    const [path, target] = [join(folder, 'link'), join(folder, 'target')];
    fs.writeFileSync(target, 'kept');
    fs.symlinkSync(target, path);
    expect(() => appended(path, 'x')).toThrow(`${path} is a link; name the file that it leads to`);
    expect(fs.readFileSync(target, 'utf8')).toBe('kept');
  });

  it('refuses a link to nothing', () => {
    fs.symlinkSync(join(folder, 'new'), join(folder, 'link'));
    expect(() => appended(join(folder, 'link'), 'x')).toThrow(/is a link/);
  });

  it('opens a device, which is not a file', () => {
    const { isFile, sync, endLine, close } = openNamed(fs, '/dev/null');
    expect([isFile, sync(), endLine()]).toEqual([false, false, false]);
    close();
  });

  it('ends a line that was cut off, once', () => {
    const path = join(folder, 'a');
    fs.writeFileSync(path, 'whole\ncut');
    for (const text of ['new\n', 'newer\n']) {
      const file = openNamed(fs, path);
      file.endLine();
      file.append(Buffer.from(text));
      file.close();
    }
    expect(fs.readFileSync(path, 'utf8')).toBe('whole\ncut\nnew\nnewer\n');
  });

  it('writes into the file, and not into another that took its name', () => {
    const path = join(folder, 'a');
    const file = openNamed(fs, path);
    file.append(Buffer.from('aaaa'));
    file.overwrite(1, Buffer.from('bb'));
    expect([fs.readFileSync(path, 'utf8'), file.size()]).toEqual(['abba', 4]);
    fs.renameSync(path, join(folder, 'moved'));
    fs.writeFileSync(path, 'other');
    file.overwrite(0, Buffer.from('c'));
    expect([fs.readFileSync(path, 'utf8'), fs.readFileSync(join(folder, 'moved'), 'utf8')]).toEqual(['other', 'abba']);
    file.close();
  });
});

describe('openNamedLog', () => {
  it('opens a private file and a device, and no folder', () => {
    const path = join(openFolder(), 'a');
    fs.closeSync(openNamedLog(fs, path));
    fs.closeSync(openNamedLog(fs, '/dev/null'));
    expect(modeOf(path)).toBe(0o600);
    expect(() => openNamedLog(fs, openFolder())).toThrow(/EISDIR/);
  });
});
