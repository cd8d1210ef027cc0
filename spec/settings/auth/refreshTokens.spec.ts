import { catchError, map, merge, of, tap } from 'rxjs';
import { refreshTokens } from '../../../src/settings/auth/accounts';
import { AuthError } from '../../../src/settings/auth/authError';
import { readAuthFile, type Tokens } from '../../../src/settings/auth/authFile';
import { marbles } from '../../support/marbles';
import { authJson, ID, LOCK, loginDeps, memoryFiles, NEW, PATH, tokenAnswer, tokenServer } from './support';

const stale = readAuthFile(authJson())?.tokens as Tokens;
const values = { a: 'AT', n: 'AT2', c: 'AT3' };

const refreshing = (files: ReturnType<typeof memoryFiles>, post: ReturnType<typeof tokenServer>['post']) =>
  refreshTokens(loginDeps(files, post))(stale).pipe(map(({ tokens }) => tokens?.accessToken));

describe('refreshTokens', () => {
  it(
    'asks once for all that need it, and gives the lock back',
    marbles(({ cold, expectObservable, flush }) => {
      const files = memoryFiles(authJson());
      const server = tokenServer(cold('       50ms r', { r: tokenAnswer(200, NEW) }));
      const both$ = merge(refreshing(files, server.post), refreshing(files, server.post));
      expectObservable(both$).toBe('          50ms n 49ms (n|)', values);
      flush();
      expect(server.requests).toEqual([
        {
          url: 'https://auth.example/oauth/token',
          body: '{"client_id":"app","grant_type":"refresh_token","refresh_token":"RT","scope":"openid profile email"}',
        },
      ]);
      expect([...files.locks]).toEqual([]);
      expect(readAuthFile(files.texts.get(PATH) ?? '')?.tokens).toMatchObject({
        accessToken: 'AT2',
        refreshToken: 'RT2',
      });
    }),
  );

  it.each([
    ['https://own.example', 0],
    ['https://auth.example.evil', 0],
    ['https://auth.example', 1],
    ['auth.example', 1],
  ])('sends no refresh token elsewhere than to %s, which the id token names: %d request', (issuer, count) =>
    marbles(({ cold, expectObservable, flush }) => {
      const files = memoryFiles(authJson());
      const server = tokenServer(cold('(r|)', { r: tokenAnswer(200, NEW) }));
      const named = { ...stale, claims: { ...stale.claims, issuer } };
      const out$ = refreshTokens(loginDeps(files, server.post))(named).pipe(
        map(() => 'refreshed'),
        catchError(({ message, isFinal }: AuthError) => of(isFinal ? message : 'may be tried again')),
      );
      const refused =
        'The login was issued by another server than auth.example, which does not get its tokens: codex-rx login --issuer.';
      expectObservable(out$).toBe('(o|)', { o: count === 1 ? 'refreshed' : refused });
      flush();
      expect(server.requests).toHaveLength(count);
    })(),
  );

  it(
    'waits for another process, and takes its tokens',
    marbles(({ cold, expectObservable }) => {
      const files = memoryFiles(authJson());
      files.locks.add(LOCK);
      const other$ = cold('250ms w|').pipe(tap(() => files.texts.set(PATH, authJson('AT3'))));
      const out$ = merge(refreshing(files, tokenServer().post), other$.pipe(map(() => 'written')));
      expectObservable(out$).toBe('250ms w 49ms (c|)', { ...values, w: 'written' });
    }),
  );

  it(
    'takes over if the other process ended without new tokens',
    marbles(({ cold, expectObservable }) => {
      const files = memoryFiles(authJson());
      files.locks.add(LOCK);
      const other$ = cold('150ms w|').pipe(tap(() => files.locks.delete(LOCK)));
      const server = tokenServer(tokenAnswer(200, NEW));
      const out$ = merge(refreshing(files, server.post), other$.pipe(map(() => 'gone')));
      expectObservable(out$).toBe('150ms w 49ms (n|)', { ...values, w: 'gone' });
    }),
  );

  it(
    'replaces no login that was made while the server was asked, and makes none again that was ended',
    marbles(({ cold, expectObservable, flush }) => {
      const files = memoryFiles(authJson());
      const made$ = cold('-r', { r: tokenAnswer(200, NEW) }).pipe(tap(() => files.texts.set(PATH, authJson('AT3'))));
      expectObservable(refreshing(files, tokenServer(made$).post)).toBe('-(c|)', values);
      const others = memoryFiles(authJson());
      const ended$ = cold('-r', { r: tokenAnswer(200, NEW) }).pipe(tap(() => others.texts.delete(PATH)));
      const error = new AuthError('There is no login any more. Log in again: codex-rx login.', true);
      expectObservable(refreshing(others, tokenServer(ended$).post)).toBe('-#', undefined, error);
      flush();
      expect([files.texts.get(PATH), others.texts.get(PATH)]).toEqual([authJson('AT3'), undefined]);
    }),
  );

  it(
    'takes the tokens of a Codex that was faster, though its own request failed',
    marbles(({ cold, expectObservable }) => {
      const files = memoryFiles(authJson());
      const refused = tokenAnswer(400, { error: 'refresh_token_reused' });
      const server = tokenServer(cold('-r', { r: refused }).pipe(tap(() => files.texts.set(PATH, authJson('AT3')))));
      expectObservable(refreshing(files, server.post)).toBe('-(c|)', values);
    }),
  );

  it(
    'gives up on a process that does not come to an end',
    marbles(({ expectObservable }) => {
      const files = memoryFiles(authJson());
      files.locks.add(LOCK);
      const error = new AuthError('another process is renewing the login and does not finish; try again');
      expectObservable(refreshing(files, tokenServer().post)).toBe('60s #', undefined, error);
    }),
  );

  it(
    'gives the lock back when it is unsubscribed',
    marbles(({ cold, expectObservable, flush }) => {
      const files = memoryFiles(authJson());
      expectObservable(refreshing(files, tokenServer(cold('---')).post), '^--!').toBe('----');
      flush();
      expect([...files.locks]).toEqual([]);
    }),
  );

  const LOG_IN = 'Log in again: codex-rx login.';
  it.each([
    [
      'refuses',
      tokenAnswer(400, { error: 'invalid_grant', secret: 'RT' }),
      `400 Bad Request, invalid_grant. ${LOG_IN}`,
    ],
    [
      'refuses in an object',
      tokenAnswer(401, { error: { code: 'token_expired' } }),
      `401 Bad Request, token_expired. ${LOG_IN}`,
    ],
    ['fails', tokenAnswer(500, 'oops RT'), '500 Bad Request.'],
    ['is cut off', tokenAnswer(200, '{"access_token":"AT'), '200 OK.'],
  ])('keeps the login and names no token if the server %s', (_, answer, text) => {
    marbles(({ expectObservable, flush }) => {
      const files = memoryFiles(authJson());
      const expected = new AuthError(`Failed to refresh the login: ${text}`, text.endsWith(LOG_IN));
      expectObservable(refreshing(files, tokenServer(answer).post)).toBe('#', undefined, expected);
      flush();
      expect(files.texts.get(PATH)).toBe(authJson());
      expect([...files.locks]).toEqual([]);
    })();
  });

  it(
    'errors if somebody logged out',
    marbles(({ expectObservable }) => {
      const error = new AuthError(`There is no login any more. ${LOG_IN}`, true);
      expectObservable(refreshing(memoryFiles(), tokenServer().post)).toBe('#', undefined, error);
    }),
  );

  it.each([
    ['another server', 'https://id.example', 'https://id.example/oauth/token'],
    ['a server of this machine', 'http://localhost:8', 'http://localhost:8/oauth/token'],
  ])('sends tokens that %s gave there, and keeps its address', (_, issuer, url) => {
    marbles(({ expectObservable, flush }) => {
      const files = memoryFiles(authJson('AT', { issuer }));
      const server = tokenServer(tokenAnswer(200, NEW));
      expectObservable(refreshing(files, server.post)).toBe('(n|)', values);
      flush();
      expect(server.requests.map((request) => request.url)).toEqual([url]);
      expect(readAuthFile(files.texts.get(PATH) ?? '')?.issuer).toBe(issuer);
    })();
  });

  it.each([
    ['null', { access_token: 'AT2', id_token: null, refresh_token: null }],
    ['absent', { access_token: 'AT2' }],
  ])('keeps the tokens that are %s in a response', (_, body) =>
    marbles(({ expectObservable, flush }) => {
      const files = memoryFiles(authJson());
      expectObservable(refreshing(files, tokenServer(tokenAnswer(200, body)).post)).toBe('(n|)', values);
      flush();
      expect(readAuthFile(files.texts.get(PATH) ?? '')?.tokens).toMatchObject({ idToken: ID, refreshToken: 'RT' });
    })(),
  );

  it.each([7, {}, '', 'a\r\nx-evil: 1'])('keeps the login if a response has %j for a token', (token) =>
    marbles(({ expectObservable, flush }) => {
      const files = memoryFiles(authJson());
      const error = new AuthError('Failed to refresh the login: the response holds something that is not a token.');
      const server = tokenServer(tokenAnswer(200, { ...NEW, refresh_token: token }));
      expectObservable(refreshing(files, server.post)).toBe('#', values, error);
      flush();
      expect(files.texts.get(PATH)).toBe(authJson());
    })(),
  );

  it(
    'sends no token to an issuer that is not encrypted',
    marbles(({ expectObservable, flush }) => {
      const files = memoryFiles(authJson('AT', { issuer: 'http://id.example' }));
      const server = tokenServer(tokenAnswer(200, NEW));
      const text = `The login cannot be refreshed: its issuer in auth.json must begin with https://. ${LOG_IN}`;
      expectObservable(refreshing(files, server.post)).toBe('#', undefined, new AuthError(text, true));
      flush();
      expect(server.requests).toEqual([]);
    }),
  );
});
