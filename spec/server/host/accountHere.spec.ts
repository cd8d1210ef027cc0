import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom, NEVER } from 'rxjs';
import type { Wiring } from '../../../src/agent/wiring/wiring';
import { silentLog } from '../../../src/protocol/log';
import { accountHere, toShownEvent } from '../../../src/server/host/homeHere';
import type { LoginEvent } from '../../../src/settings/auth/browserLogin';
import { openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

const here = (auth?: object, toml = '') => {
  const home = openHome();
  home.write('.codex/config.toml', toml);
  if (auth !== undefined) home.write('.codex/auth.json', JSON.stringify(auth));
  const codexHome = String(home.env.CODEX_HOME ?? join(home.work, '..', '.codex'));
  const wiring = {
    processInfo: { env: {}, cwd: home.work, codexHome },
    options: { overrides: [] },
    log: silentLog,
    over$: NEVER,
  } as unknown as Wiring;
  return { account: accountHere(wiring), codexHome };
};

describe('accountHere', () => {
  it('shows a key with its token, and nothing without a login', () => {
    expect(here().account.current()).toEqual({});
    expect(here({ OPENAI_API_KEY: 'sk-1' }).account.current()).toEqual({ method: 'apikey', token: 'sk-1' });
    expect(here({ OPENAI_API_KEY: 5, tokens: {} }).account.current()).toEqual({});
  });

  it('removes the login', async () => {
    const { account, codexHome } = here({ OPENAI_API_KEY: 'sk-1' });
    await firstValueFrom(account.logout$);
    expect([account.current(), existsSync(join(codexHome, 'auth.json'))]).toEqual([{}, false]);
  });

  it('shows of a login where to log in, with spaces in hexadecimal, and that it is done', () => {
    const url = 'https://auth/x?scope=a+b+c';
    expect(toShownEvent({ kind: 'waiting', url } as LoginEvent)).toEqual({
      kind: 'waiting',
      url: 'https://auth/x?scope=a%20b%20c',
    });
    expect(toShownEvent({ kind: 'loggedIn', login: 'secret' } as unknown as LoginEvent)).toEqual({ kind: 'loggedIn' });
  });
});
