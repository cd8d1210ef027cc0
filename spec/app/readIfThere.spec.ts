import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from '../../src/app/readIfThere';
import { openHome, removeHomes } from '../support/home';

afterAll(removeHomes);

describe('readIfThere', () => {
  it('reads a file, and nothing where there is none', () => {
    const home = openHome();
    home.write('a.txt', 'text');
    expect([readIfThere(join(home.path, 'a.txt')), readIfThere(join(home.path, 'b.txt'))]).toEqual(['text', undefined]);
  });

  it('throws where it cannot be read', () => {
    const home = openHome();
    mkdirSync(join(home.path, 'folder'));
    expect(() => readIfThere(join(home.path, 'folder'))).toThrow('EISDIR');
  });
});
