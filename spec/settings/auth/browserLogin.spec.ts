import { concat, map, NEVER, type Observable, of } from 'rxjs';
import { AuthError } from '../../../src/settings/auth/authError';
import { readAuthFile } from '../../../src/settings/auth/authFile';
import {
  authorizeUrl,
  browserLogin,
  exchangeCode,
  type LoginEvent,
  newProof,
  type PendingCallback,
  redirectUri,
} from '../../../src/settings/auth/browserLogin';
import { marbles } from '../../support/marbles';
import { ID, loginDeps, memoryFiles, NEW, NOW, PATH, tokenAnswer, tokenServer } from './support';

/** The browser, whose requests are marbles: c the code, w a wrong state, d declined, x a login that was started later. */
const visits = () => {
  const answers: string[] = [];
  const callback = (url: string): PendingCallback => ({
    request: { method: 'GET', url, headers: { host: 'localhost:1455' } },
    respond: ({ status }) => void answers.push(`${url.slice(-6)} ${status}`),
  });
  const values = {
    c: callback('/auth/callback?state=r32&code=c'),
    w: callback('/auth/callback?code=c&state=no'),
    d: callback('/auth/callback?state=r32&error=e'),
    x: callback('/cancel'),
  };
  return { answers, values };
};

const logging = (callback$: Observable<PendingCallback>, server = tokenServer(), files = memoryFiles()) =>
  browserLogin({
    ...loginDeps(files, server.post),
    listen$: concat(of({ port: 1455, callback$ }), NEVER),
    random: (bytes) => `r${bytes}`,
    sha256: (text) => `#${text}`,
  });
const letters = (event$: Observable<LoginEvent>) => event$.pipe(map(({ kind }) => (kind === 'waiting' ? 'w' : 'L')));

describe('browserLogin', () => {
  it(
    'emits where to log in, and that it is done once the tokens are kept',
    marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
      const { answers, values } = visits();
      const files = memoryFiles();
      const server = tokenServer(cold('             -r', { r: tokenAnswer(200, NEW) }));
      const callback$ = hot('                      --w-c--', values);
      expectObservable(letters(logging(callback$, server, files))).toBe('w----(L|)');
      expectSubscriptions(callback$.subscriptions).toBe('^----!');
      flush();
      expect(answers).toEqual(['ate=no 400', 'code=c 200']);
      expect(readAuthFile(files.texts.get(PATH) ?? '')?.tokens).toMatchObject({
        accessToken: 'AT2',
        accountId: 'acc1',
      });
      expect(server.requests.map(({ body }) => body)).toEqual([
        'grant_type=authorization_code&code=c&redirect_uri=http%3A%2F%2Flocalhost%3A1455%2Fauth%2Fcallback&client_id=app&code_verifier=r64',
      ]);
    }),
  );

  it('asks for the code with the challenge, the state and the port that it listens on', () => {
    let url = '';
    logging(NEVER)
      .subscribe((event) => {
        url = event.kind === 'waiting' ? event.url : '';
      })
      .unsubscribe();
    expect(url).toBe(
      'https://auth.example/oauth/authorize?response_type=code&client_id=app_EMoamEEZ73f0CkXaXp7hrann&redirect_uri=http%3A%2F%2Flocalhost%3A1455%2Fauth%2Fcallback&scope=openid+profile+email+offline_access&code_challenge=%23r64&code_challenge_method=S256&id_token_add_organizations=true&codex_cli_simplified_flow=true&state=r32',
    );
  });

  it(
    'exchanges a code once, however often it comes',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const { answers, values } = visits();
      const server = tokenServer(cold('                   ---r', { r: tokenAnswer(200, NEW) }));
      expectObservable(letters(logging(hot('-c-c', values), server))).toBe('w---(L|)');
      flush();
      expect(answers).toEqual(['code=c 400', 'code=c 200']);
    }),
  );

  it.each<[string, string, string, string]>([
    ['declined', '-d', 'w#', 'the login was declined (e)'],
    ['replaced by another', '--x', 'w-#', 'the login was cancelled, for example because another login was started'],
    ['too late', '-', 'w 599999ms #', 'the login timed out; start it again'],
  ])('ends if it is %s', (_, input, out, message) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(letters(logging(hot(input, visits().values)))).toBe(out, undefined, new AuthError(message));
    })(),
  );

  it.each([
    ['fails', tokenAnswer(500, 'oops'), '500 Bad Request. Log in again.'],
    ['refuses', tokenAnswer(400, { error: 'invalid_grant' }), '400 Bad Request, invalid_grant. Log in again.'],
    ['is cut off', tokenAnswer(200, '{"access_token":"AT'), 'the response holds no usable tokens. Log in again.'],
    [
      'sends a bad id token',
      tokenAnswer(200, { ...NEW, id_token: 'x' }),
      'the response holds no usable tokens. Log in again.',
    ],
  ])('keeps nothing if the server %s', (_, answer, text) =>
    marbles(({ hot, expectObservable, flush }) => {
      const { answers, values } = visits();
      const files = memoryFiles();
      const error = new AuthError(`Token exchange failed: ${text}`);
      expectObservable(letters(logging(hot('-c', values), tokenServer(answer), files))).toBe('w#', undefined, error);
      flush();
      expect(answers).toEqual(['code=c 500']);
      expect(files.texts.size).toBe(0);
    })(),
  );
});

describe('newProof', () => {
  it('draws a state and a verifier, and hashes the verifier', () => {
    const proof = newProof({ random: (bytes) => `random ${bytes}`, sha256: (text) => `hash of ${text}` });
    expect(proof).toEqual({ state: 'random 32', verifier: 'random 64', challenge: 'hash of random 64' });
  });
});

describe('authorizeUrl', () => {
  it('is the login page of the issuer with the challenge, and without the verifier', () => {
    const url = new URL(authorizeUrl('https://auth.example', 1455, { state: 'S', verifier: 'V', challenge: 'C' }));
    expect([url.origin, url.pathname]).toEqual(['https://auth.example', '/oauth/authorize']);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'app_EMoamEEZ73f0CkXaXp7hrann',
      redirect_uri: 'http://localhost:1455/auth/callback',
      scope: 'openid profile email offline_access',
      code_challenge: 'C',
      code_challenge_method: 'S256',
      id_token_add_organizations: 'true',
      codex_cli_simplified_flow: 'true',
      state: 'S',
    });
    expect(redirectUri(1455)).toBe('http://localhost:1455/auth/callback');
  });
});

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
            grant_type: 'authorization_code',
            code: 'C',
            redirect_uri: 'http://localhost:1/cb',
            client_id: 'app',
            code_verifier: 'V',
          },
        ],
      ]);
      expect(JSON.parse(files.texts.get(PATH) ?? '')).toEqual({
        issuer: 'https://auth.example',
        auth_mode: 'chatgpt',
        OPENAI_API_KEY: null,
        last_refresh: new Date(NOW).toISOString(),
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
