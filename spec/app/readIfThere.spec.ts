import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readIfThere } from '../../src/app/readIfThere';
import { openHome, removeHomes } from '../support/home';

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
    expect(() => readIfThere(path)).toThrow(`${path} is not a regular file: remove it, or move it away`);
  });

  it('throws where it cannot be read', () => {
    const home = openHome();
    mkdirSync(join(home.path, 'folder'));
    expect(() => readIfThere(join(home.path, 'folder'))).toThrow('EISDIR');
  });
});
