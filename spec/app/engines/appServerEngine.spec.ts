import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom } from 'rxjs';
import { appServerEngine } from '../../../src/app/engines/appServerEngine';
import { nativeAvailability } from '../../../src/app/engines/nativeAvailability';
import { removeHomes } from '../../support/home';
import { type Given, wired } from './wiring';

afterAll(removeHomes);

describe('appServerEngine', () => {
  it.each<[string, Given, boolean]>([
    ['nothing', {}, false],
    ['a file of a login', { auth: {} }, true],
    ['a key in the environment', { processInfo: { env: { CODEX_API_KEY: 'k' } } }, true],
    ['a token in the environment', { processInfo: { env: { CODEX_ACCESS_TOKEN: 't' } } }, true],
    ['another store for logins', { toml: 'cli_auth_credentials_store = "keyring"' }, true],
    ['a configuration about other things', { toml: 'model = "m"' }, false],
  ])('with %s may be logged in: %s', (_, given, may) => {
    expect(appServerEngine(wired(given).wiring).mayBeLoggedIn()).toBe(may);
  });

  it('finds the Codex on PATH, and its program behind a link', () => {
    const { wiring, home } = wired({ options: { codex: undefined } });
    const folder = join(home.path, 'bin');
    mkdirSync(folder);
    writeFileSync(join(home.path, 'real'), '');
    symlinkSync(join(home.path, 'real'), join(folder, 'codex'));
    expect(appServerEngine(wiring).find()).toEqual({
      path: join(folder, 'codex'),
      argv: [join(folder, 'codex')],
      folders: [],
    });
  });

  it('finds the Codex that is named, and no other', () => {
    const { wiring, home } = wired({ options: { codex: '/no/codex' } });
    mkdirSync(join(home.path, 'bin'));
    writeFileSync(join(home.path, 'bin/codex'), '');
    expect(appServerEngine(wiring).find()).toEqual({ looked: ['/no/codex'], isNamed: true });
  });

  it('knows of no login without a Codex', async () => {
    const account = firstValueFrom(appServerEngine(wired({ options: { codex: '/no/codex' } }).wiring).account());
    await expect(account).rejects.toThrow('No codex was found in /no/codex.');
  });

  it('names the missing folder of CODEX_HOME, and does not start Codex', async () => {
    const { wiring } = wired({ options: { codex: process.execPath } });
    const env = { CODEX_HOME: '/no/home' };
    const moved = { ...wiring, processInfo: { ...wiring.processInfo, env, codexHome: '/no/home' } };
    const message = 'CODEX_HOME is /no/home, which is no folder. Create it, or unset CODEX_HOME.';
    await expect(firstValueFrom(appServerEngine(moved).account())).rejects.toThrow(message);
    expect(nativeAvailability(moved)).toMatchObject({ usable: false, reason: message });
  });

  it('names a working folder that is gone, and does not start Codex', async () => {
    const { wiring } = wired({ options: { codex: process.execPath } });
    const moved = { ...wiring, processInfo: { ...wiring.processInfo, cwd: '/no/work' } };
    await expect(firstValueFrom(appServerEngine(moved).account())).rejects.toThrow(
      'The working folder of the server is gone: /no/work. Create it, or start the server in a folder that stays.',
    );
  });
});
