import fs from 'node:fs';
import { join } from 'node:path';
import { readSystem, readText } from '../../../src/io/files/readFile';
import { openFolder, removeFolders } from '../../support/files';

afterAll(removeFolders);

describe('readText', () => {
  it('reads a whole file, or its beginning', () => {
    const root = openFolder();
    const text = 'é'.repeat(100_000);
    fs.writeFileSync(join(root, 'a'), text);
    expect(readText({ fs, root }, join(root, 'a'))).toBe(text);
    expect(readText({ fs, root }, join(root, 'a'), 4)).toBe('éé');
  });

  it('returns undefined where there is no file, or no folder', () => {
    const root = openFolder();
    expect(readText({ fs, root }, join(root, 'a'))).toBeUndefined();
    expect(readText({ fs, root }, join(root, 'a/b'))).toBeUndefined();
  });

  it('throws where there is something else', () => {
    const root = openFolder();
    fs.mkdirSync(join(root, 'folder'));
    expect(() => readText({ fs, root }, join(root, 'folder'))).toThrow(/is not a regular file/);
  });
});

describe('readSystem', () => {
  it('reads the beginning of a file, and nothing of one that is not there', () => {
    expect(readSystem(fs, __filename)).toBe(fs.readFileSync(__filename, 'latin1').slice(0, 1024));
    expect(readSystem(fs, `${__filename}.none`)).toBeUndefined();
  });
});
