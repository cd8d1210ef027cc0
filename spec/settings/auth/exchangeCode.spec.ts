import { AuthError } from '../../../src/settings/auth/authError';
import { exchangeCode } from '../../../src/settings/auth/browserLogin';
import { marbles } from '../../support/marbles';
import { ID, loginDeps, memoryFiles, NEW, NOW, PATH, tokenAnswer, tokenServer } from './support';

const code = { code: 'C', redirectUri: 'http://localhost:1/cb', verifier: 'V' };
const claims = { email: 'a@b.c', plan: 'plus', accountId: 'acc1' };
const UNUSABLE = 'Token exchange failed: the response holds no usable tokens. Log in again.';

describe('exchangeCode', () => {
  it(
    'sends the code with its verifier, writes auth.json, then emits the claims',
    marbles(({ cold, expectObservable, flush }) => {
      const files = memoryFiles();
      const { post, requests } = tokenServer(cold('--(a|)', { a: tokenAnswer(200, NEW) }));
      const expected = '                           --(C|)';
      expectObservable(exchangeCode(loginDeps(files, post))(code)).toBe(expected, { C: claims });
      flush();
      expect(requests.map(({ url, body }) => [url, Object.fromEntries(new URLSearchParams(body))])).toEqual([
        [
          'https://auth.example/oauth/token',
          {
            ...{ grant_type: 'authorization_code', code: 'C', redirect_uri: 'http://localhost:1/cb' },
            ...{ client_id: 'app', code_verifier: 'V' },
          },
        ],
      ]);
      expect(JSON.parse(files.texts.get(PATH) ?? '')).toEqual({
        issuer: 'https://auth.example',
        ...{ auth_mode: 'chatgpt', OPENAI_API_KEY: null, last_refresh: new Date(NOW).toISOString() },
        tokens: { id_token: ID, access_token: 'AT2', refresh_token: 'RT2', account_id: 'acc1' },
      });
    }),
  );

  it.each([
    [
      'a refusal       ',
      tokenAnswer(400, { error: 'bad' }),
      'Token exchange failed: 400 Bad Request, bad. Log in again.',
    ],
    ['no JSON         ', tokenAnswer(200, 'no'), UNUSABLE],
    ['an empty token  ', tokenAnswer(200, { ...NEW, access_token: '' }), UNUSABLE],
    ['no refresh token', tokenAnswer(200, { ...NEW, refresh_token: undefined }), UNUSABLE],
    ['a wrong id token', tokenAnswer(200, { ...NEW, id_token: 'x' }), UNUSABLE],
  ])('errors and writes nothing for %s', (_, answer, message) =>
    marbles(({ expectObservable, flush }) => {
      const files = memoryFiles();
      expectObservable(exchangeCode(loginDeps(files, tokenServer(answer).post))(code)).toBe(
        '#',
        {},
        new AuthError(message),
      );
      flush();
      expect([...files.texts]).toEqual([]);
    })(),
  );
});
