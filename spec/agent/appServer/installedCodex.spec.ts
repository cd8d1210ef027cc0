import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedCodex, mayBeLoggedIn } from '../../../src/agent/appServer/installedCodex';
import { openHome, removeHomes } from '../../support/home';
import { type Given, wired } from '../wiring/wiring';

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

  it.each([
    ['below a file', 'file/bin'],
    ['in a loop of links', 'loop/bin'],
    ['with a name that is too long', 'x'.repeat(300)],
  ])('passes over a folder of PATH %s', (_, name) => {
    const home = openHome();
    mkdirSync(join(home.path, 'bin'));
    for (const file of ['file', 'bin/codex']) writeFileSync(join(home.path, file), '');
    symlinkSync('loop', join(home.path, 'loop'));
    const PATH = [name, 'bin'].map((folder) => join(home.path, folder)).join(':');
    const { wiring } = wired({ options: { codex: undefined }, processInfo: { env: { PATH } } });
    expect(installedCodex(wiring)()).toMatchObject({ path: join(home.path, 'bin/codex') });
  });

  it('takes none of the working folder, but gives its path', () => {
    const home = openHome();
    mkdirSync(join(home.path, 'bin'));
    writeFileSync(join(home.path, 'bin/codex'), '');
    const processInfo = { cwd: home.path, node: '/no/bin/node', env: { PATH: join(home.path, 'bin') } };
    const { wiring } = wired({ options: { codex: undefined }, processInfo });
    expect(installedCodex(wiring)()).toMatchObject({ isNamed: false, leftOut: join(home.path, 'bin/codex') });
  });

  it('finds the Codex that is named, and no other', () => {
    const { wiring, home } = wired({ options: { codex: '/no/codex' } });
    mkdirSync(join(home.path, 'bin'));
    writeFileSync(join(home.path, 'bin/codex'), '');
    expect(installedCodex(wiring)()).toEqual({ looked: ['/no/codex'], isNamed: true });
  });
});

describe('mayBeLoggedIn', () => {
  it.each(['auth.json', '../file/auth.json', `/${'x'.repeat(300)}`])(
    'is not logged in by a link that leads nowhere: %s',
    (target) => {
      const { wiring, home } = wired();
      writeFileSync(join(home.path, 'file'), '');
      symlinkSync(target, join(wiring.processInfo.codexHome, 'auth.json'));
      expect(mayBeLoggedIn(wiring)).toBe(false);
    },
  );

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
