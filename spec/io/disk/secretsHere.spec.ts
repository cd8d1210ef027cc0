import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { homesOf, secretsHere } from '../../../src/io/disk/secretsHere';
import { openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

describe('homesOf', () => {
  it('has each home once, and the folders of Codex in them', () => {
    expect(homesOf({ home: '/u/', systemHome: '/home/u', codexHome: '/home/u/.codex' })).toEqual({
      homes: ['/u', '/home/u'],
      codexHomes: ['/home/u/.codex', '/u/.codex'],
    });
  });

  it('has the folder of Codex alone for a user without a home', () => {
    expect(homesOf({ codexHome: '/codex' })).toEqual({ homes: [], codexHomes: ['/codex'] });
  });
});

describe('secretsHere', () => {
  it('finds what is there now', () => {
    const home = openHome();
    const secrets = secretsHere({ cwd: home.work, home: home.path, codexHome: '/codex' });
    expect(secrets()).not.toContain(join(home.path, '.tool/token'));
    home.write('.tool/token', 'x');
    expect(secrets()).toContain(join(home.path, '.tool/token'));
    expect(new Set(secrets()).size).toBe(secrets().length);
  });

  it('ends in a circle of links, and hides neither the home nor the folder of the process by a link', () => {
    const { path, work } = openHome();
    mkdirSync(join(path, '.aws'));
    for (const [at, target] of [
      ['self', '.'],
      ['up', path],
      ['work', work],
      ['other', join(path, 'other')],
    ] as const)
      symlinkSync(target, join(path, '.aws', at));
    mkdirSync(join(path, 'other'));
    symlinkSync('../.aws', join(path, 'other/back'));
    const found = secretsHere({ cwd: work, home: path, codexHome: '/codex' })();
    expect([path, work, join(path, 'other')].map((place) => found.includes(place))).toEqual([false, false, true]);
  });
});
