import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readIfThere, readRegular } from '../../../src/io/paths/readIfThere';
import { openHome, removeHomes } from '../../support/home';

afterAll(removeHomes);

describe('readIfThere', () => {
  it('reads a file, and nothing where there is none', () => {
    const home = openHome();
    home.write('a.txt', 'text');
    expect([readIfThere(join(home.path, 'a.txt')), readIfThere(join(home.path, 'b.txt'))]).toEqual(['text', undefined]);
  });

  it.each(['/dev/zero', 'fifo'])('does not wait for what is no regular file: %s', (name) => {
    const path = resolve(openHome().path, name);
    if (name === 'fifo') execFileSync('mkfifo', [path]);
    for (const read of [readIfThere, readRegular])
      expect(() => read(path)).toThrow(`${path} is not a regular file: remove it, or move it away`);
  });

  it('takes a path below a file for absent, as nothing can be there', () => {
    const home = openHome();
    home.write('a.txt', 'text');
    expect(readIfThere(join(home.path, 'a.txt', 'below'))).toBeUndefined();
  });

  it('throws for a file that has to be there', () => {
    const home = openHome();
    home.write('a.txt', 'text');
    expect(readRegular(join(home.path, 'a.txt'))).toBe('text');
    expect(() => readRegular(join(home.path, 'b.txt'))).toThrow('ENOENT');
  });

  it('throws if a loop of links hides what is there', () => {
    const home = openHome();
    symlinkSync('loop', join(home.path, 'loop'));
    expect(() => readIfThere(join(home.path, 'loop'))).toThrow('ELOOP');
  });

  it('throws where it cannot be read', () => {
    const home = openHome();
    mkdirSync(join(home.path, 'folder'));
    expect(() => readIfThere(join(home.path, 'folder'))).toThrow('EISDIR');
  });
});
