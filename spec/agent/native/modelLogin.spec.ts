import { firstValueFrom } from 'rxjs';
import { modelLogin } from '../../../src/agent/native/modelLogin';
import { authJson } from '../../settings/auth/support';
import { removeHomes } from '../../support/home';
import { wired } from '../wiring/wiring';

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
