import { concat, defer, of, throwError, toArray } from 'rxjs';
import type { HttpRequest } from '../../../src/io/http/httpRequest';
import { authorized } from '../../../src/settings/mcpAuth/authorized';
import { answer, DOCUMENTS, fileOf, outcomeOf, SERVER, serverOf } from './support';

const LOGIN = { issuer: 'https://auth', clientId: 'c', accessToken: 'AT', refreshToken: 'RT', scopes: [] };
const REQUEST: HttpRequest = { url: SERVER.url, headers: { accept: 'a' }, body: 'b' };

/** The status of a request, and what the server saw: the tokens that it was sent and the tokens that were asked for. */
const sentAs = (
  login: object | undefined,
  { good = 'AT2', grants = true }: { good?: string; grants?: boolean } = {},
) => {
  const file = fileOf();
  if (login !== undefined) file.keep(SERVER, { ...LOGIN, ...login });
  let drained = 0;
  const send = serverOf({
    ...DOCUMENTS,
    'https://auth/token': () =>
      grants ? answer(200, { access_token: 'AT2' }) : answer(400, { error: 'invalid_grant' }),
    [SERVER.url]: ({ headers }) => {
      const isGood = headers.authorization === `Bearer ${good}`;
      const body$ = defer(() => {
        drained += 1;
        return of('');
      });
      return { ...answer(isGood ? 200 : 401), body$ };
    },
  });
  const lock = () => ({ kind: 'locked' as const, release: () => {} });
  const post = authorized({ send, file, lock, lockPathOf: () => '/lock', now: () => 1_000_000 })(SERVER);
  const result = outcomeOf(post(REQUEST));
  const tokens = send.sent.filter(({ url }) => url === SERVER.url).map(({ headers }) => headers.authorization);
  return { status: typeof result === 'string' ? result : result.status, tokens, drained, login: file.find(SERVER) };
};

describe('authorized', () => {
  it('sends as it is if nobody is logged in', () => {
    expect(sentAs(undefined)).toMatchObject({ status: 401, tokens: [undefined], drained: 0 });
  });

  it('sends the token of the login', () => {
    expect(sentAs({ accessToken: 'AT2' })).toMatchObject({ status: 200, tokens: ['Bearer AT2'], drained: 0 });
  });

  it('renews a token that the server rejects, once, and reads the rejection to its end', () => {
    expect(sentAs({})).toMatchObject({ status: 200, tokens: ['Bearer AT', 'Bearer AT2'], drained: 1 });
    expect(sentAs({}, { good: 'none' })).toMatchObject({
      status: 401,
      tokens: ['Bearer AT', 'Bearer AT2'],
      drained: 1,
    });
  });

  it('answers with a rejection that was read already by one without a body', () => {
    const file = fileOf();
    file.keep(SERVER, { clientId: 'c', accessToken: 'AT', scopes: [] });
    const broken$ = concat(
      of('x'),
      throwError(() => new Error('cut off')),
    );
    const send = () => of({ ...answer(401), body$: broken$ });
    const lock = () => ({ kind: 'locked' as const, release: () => {} });
    const result = outcomeOf(
      authorized({ send, file, lock, lockPathOf: () => '/lock', now: () => 0 })(SERVER)(REQUEST),
    );
    expect(result).toMatchObject({ status: 401 });
    expect(typeof result === 'string' ? result : outcomeOf(result.body$.pipe(toArray()))).toEqual([]);
  });

  it('renews a token that is about to end, before it is sent', () => {
    expect(sentAs({ expiresMs: 1_029_999 })).toMatchObject({ status: 200, tokens: ['Bearer AT2'], drained: 0 });
    expect(sentAs({ expiresMs: 1_030_000 }, { good: 'AT' })).toMatchObject({
      status: 200,
      tokens: ['Bearer AT'],
      drained: 0,
    });
  });

  it.each([
    ['the authorization server refuses', {}, { grants: false }],
    ['there is no refresh token', { refreshToken: undefined }, {}],
  ])('sends the token as it is if %s', (_, login, how) => {
    expect(sentAs(login, how)).toMatchObject({ status: 401, tokens: ['Bearer AT'], drained: 1 });
  });

  it('renews a token of a short life in the last tenth of it', () => {
    const tokensOf = (leftMs: number) => sentAs({ lifeMs: 20_000, expiresMs: 1_000_000 + leftMs }).tokens;
    expect(tokensOf(1_999)).toEqual(['Bearer AT2']);
    expect(tokensOf(2_000)[0]).toBe('Bearer AT');
  });

  it('passes an answer on at once, as its body is read then or never, and notes after it that the login is taken', () => {
    const log: unknown[] = [];
    const file = {
      find: () => ({ ...LOGIN, isRefused: true as const }),
      change: () =>
        defer(() => {
          log.push('noted');
          return of({});
        }),
    };
    const lock = () => ({ kind: 'locked' as const, release: () => {} });
    const post = authorized({ send: () => of(answer(200)), file, lock, lockPathOf: () => '/lock', now: () => 0 });
    post(SERVER)(REQUEST).subscribe(({ status }) => log.push(status));
    expect(log).toEqual([200, 'noted']);
  });

  it('notes a login that the server takes no more, until it takes it again', () => {
    const alone = { refreshToken: undefined };
    expect(sentAs(alone).login).toMatchObject({ isRefused: true });
    expect(sentAs({ ...alone, isRefused: true }, { good: 'AT' }).login).not.toHaveProperty('isRefused');
  });
});
