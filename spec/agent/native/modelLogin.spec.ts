import { firstValueFrom } from 'rxjs';
import { modelLogin, nativeAvailability } from '../../../src/agent/native/modelLogin';
import { authJson } from '../../settings/auth/support';
import { removeHomes } from '../../support/home';
import { type Given, scriptedToml, wired } from '../wiring/wiring';

afterAll(removeHomes);

describe('modelLogin', () => {
  it.each<[string, object | undefined, object | null]>([
    ['no login', undefined, null],
    ['a key', { OPENAI_API_KEY: 'sk' }, { OPENAI_API_KEY: 'sk' }],
    ['an account', JSON.parse(authJson()), { account: { token: 'AT', id: 'acc1' } }],
    ['a file that is damaged', { tokens: 1 }, null],
  ])('reads %s', (_, auth, expected) => {
    expect(modelLogin(wired({ ...(auth && { auth }) }).wiring).readAuth()).toEqual(expected);
  });

  it('refreshes nothing where there is no account', async () => {
    const { freshAuth, refreshAuth } = modelLogin(wired({ auth: { OPENAI_API_KEY: 'sk' } }).wiring);
    await expect(firstValueFrom(freshAuth())).resolves.toEqual({ kind: 'apikey', key: 'sk' });
    await expect(firstValueFrom(refreshAuth())).resolves.toBe(false);
  });
});

afterAll(removeHomes);

const provider = (more = '') => `model_provider = "p"\n[model_providers.p]\nname = "p"\nbase_url = "http://p"\n${more}`;

describe('nativeAvailability', () => {
  it.each<[string, Given, object]>([
    ['a scripted model, which no other engine has', { toml: scriptedToml }, { usable: true, only: true }],
    [
      'the model of the client, which no other engine has',
      { toml: 'model_provider = "client"' },
      { usable: true, only: true, reason: 'the model provider client is the model of the client' },
    ],
    [
      'a provider that needs no key',
      { toml: provider() },
      { usable: true, only: false, needsLogin: false, reason: 'the model provider p can be used' },
    ],
    [
      'one whose key is missing',
      { toml: provider('env_key = "P_KEY"') },
      { usable: false, reason: expect.stringContaining('P_KEY') },
    ],
    [
      'one whose key is there',
      { toml: provider('env_key = "P_KEY"'), processInfo: { env: { P_KEY: 'k' } } },
      { usable: true, only: false },
    ],
    ['a stored login', { auth: { OPENAI_API_KEY: 'sk-spec' } }, { usable: true, only: false, needsLogin: true }],
    ['a login that is not an object', { auth: [] }, { usable: false }],
    ['nothing', {}, { usable: false, only: false }],
    [
      'a configuration that cannot be used',
      { toml: 'model = 3' },
      { usable: false, reason: expect.stringContaining('model') },
    ],
  ])('with %s', (_, given, state) => {
    expect(nativeAvailability(wired(given).wiring)).toMatchObject(state);
  });
});
