import fs from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../../src/io/files/privateFiles';
import { lockDeps, modeOf, openFolder, removeFolders, systemError } from '../../support/files';

afterAll(removeFolders);

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
