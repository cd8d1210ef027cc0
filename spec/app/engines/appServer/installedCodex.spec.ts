import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedCodex, mayBeLoggedIn } from '../../../../src/app/engines/appServer/installedCodex';
import { removeHomes } from '../../../support/home';
import { type Given, wired } from '../../wiring/wiring';

afterAll(removeHomes);

describe('installedCodex', () => {
  it('finds the Codex on PATH, and its program behind a link', () => {
    const { wiring, home } = wired({ options: { codex: undefined } });
    const folder = join(home.path, 'bin');
    mkdirSync(folder);
    writeFileSync(join(home.path, 'real'), '');
    symlinkSync(join(home.path, 'real'), join(folder, 'codex'));
    expect(installedCodex(wiring)()).toEqual({
      path: join(folder, 'codex'),
      argv: [join(folder, 'codex')],
      folders: [],
    });
  });

  it('finds the Codex that is named, and no other', () => {
    const { wiring, home } = wired({ options: { codex: '/no/codex' } });
    mkdirSync(join(home.path, 'bin'));
    writeFileSync(join(home.path, 'bin/codex'), '');
    expect(installedCodex(wiring)()).toEqual({ looked: ['/no/codex'], isNamed: true });
  });
});

describe('mayBeLoggedIn', () => {
  it.each<[string, Given, boolean]>([
    ['nothing', {}, false],
    ['a file of a login', { auth: {} }, true],
    ['a key in the environment', { processInfo: { env: { CODEX_API_KEY: 'k' } } }, true],
    ['a token in the environment', { processInfo: { env: { CODEX_ACCESS_TOKEN: 't' } } }, true],
    ['another store for logins', { toml: 'cli_auth_credentials_store = "keyring"' }, true],
    ['a configuration about other things', { toml: 'model = "m"' }, false],
  ])('with %s may be logged in: %s', (_, given, may) => {
    expect(mayBeLoggedIn(wired(given).wiring)).toBe(may);
  });
});
