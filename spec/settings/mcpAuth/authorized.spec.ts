import { concat, defer, map, merge, NEVER, of, throwError, toArray } from 'rxjs';
import type { HttpRequest } from '../../../src/io/http/httpRequest';
import { authorized, type RefreshDeps, refresh } from '../../../src/settings/mcpAuth/authorized';
import type { Credential, ServerId } from '../../../src/settings/mcpAuth/credentialFile';
import { marbles } from '../../support/marbles';
import { answer, DOCUMENTS, fileOf, locksOf, outcomeOf, SERVER, serverOf } from './support';

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

const OLD = { issuer: 'https://auth', clientId: 'c', accessToken: 'AT', refreshToken: 'RT', scopes: ['a'] };
const depsOf = (send: RefreshDeps['send'], old: Credential = OLD) => {
  const file = fileOf();
  file.keep(SERVER, old);
  const { lock, taken } = locksOf();
  return { send, file, lock, taken, lockPathOf: ({ name }: ServerId) => `/lock-${name}`, now: () => 1_000 };
};
const given = (json: object, status = 200) => ({ ...DOCUMENTS, 'https://auth/token': () => answer(status, json) });
const stale = (old: object = {}): Credential => ({ ...OLD, ...old });

describe('refresh', () => {
  it('keeps and emits the new login, and gives the lock back', () => {
    const send = serverOf(given({ access_token: 'AT2', expires_in: 60 }));
    const deps = depsOf(send);
    const renewed = outcomeOf(refresh(deps)(SERVER, stale()));
    expect(renewed).toMatchObject({ accessToken: 'AT2', refreshToken: 'RT', expiresMs: 61_000 });
    expect(deps.file.find(SERVER)).toMatchObject({
      accessToken: 'AT2',
      refreshToken: 'RT',
      clientId: 'c',
      scopes: ['a'],
    });
    expect(Object.fromEntries(new URLSearchParams(send.sent.at(-1)?.body))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'RT',
      client_id: 'c',
      resource: SERVER.url,
    });
    expect([...deps.taken]).toEqual([]);
  });

  it('asks once for all that need it', () =>
    marbles(({ cold, expectObservable, flush }) => {
      const token$ = cold('50ms r', { r: answer(200, { access_token: 'AT2' }) });
      const send = serverOf({ ...DOCUMENTS, 'https://auth/token': () => token$ });
      const deps = depsOf(send);
      const one = () => refresh(deps)(SERVER, stale()).pipe(map(({ accessToken }) => accessToken));
      expectObservable(merge(one(), one())).toBe('50ms n 49ms (n|)', { n: 'AT2' });
      flush();
      expect(send.sent.filter(({ url }) => url.endsWith('/token'))).toHaveLength(1);
    })());

  it.each([
    [
      'the server refuses',
      serverOf(given({ error: 'invalid_grant' }, 400)),
      stale(),
      'no token was given: 400, invalid_grant',
    ],
    [
      'there is no refresh token',
      serverOf({}),
      stale({ refreshToken: undefined }),
      'the login has ended; log in again',
    ],
    [
      'nothing is to log in at',
      serverOf({}),
      stale(),
      'x names no server to log in at; set bearer_token_env_var for it instead',
    ],
  ])('errors if %s', (_, send, old, text) => {
    expect(outcomeOf(refresh(depsOf(send))(SERVER, old))).toBe(text);
  });

  it('asks the server that gave the login, whatever the resource names now', () => {
    const send = serverOf({
      ...DOCUMENTS,
      'https://old/.well-known/oauth-authorization-server': {
        issuer: 'https://old',
        authorization_endpoint: 'https://old/a',
        token_endpoint: 'https://old/t',
      },
      'https://old/t': { access_token: 'AT2' },
    });
    const login = stale({ issuer: 'https://old' });
    expect(outcomeOf(refresh(depsOf(send, login))(SERVER, login))).toMatchObject({ issuer: 'https://old' });
  });

  const TOKEN_OF_OLD = `h.${Buffer.from('{"iss":"https://old/"}').toString('base64url')}.s`;
  it.each([
    ['binds a login without an issuer to the one that renews it first', 'AT', { issuer: 'https://auth' }],
    [
      'sends a refresh token without an issuer to none but the one of its access token',
      TOKEN_OF_OLD,
      'the login was issued by another server than the server that is named now; log in again',
    ],
  ])('%s', (_, accessToken, expected) => {
    const send = serverOf(given({ access_token: 'AT2' }));
    const login = stale({ issuer: undefined, accessToken });
    const deps = depsOf(send, login);
    const outcome = outcomeOf(refresh(deps)(SERVER, login));
    if (typeof expected === 'string') expect(outcome).toBe(expected);
    else expect(outcome).toMatchObject(expected);
    expect(send.sent.filter(({ url }) => url.endsWith('/token'))).toHaveLength(typeof expected === 'string' ? 0 : 1);
    expect(deps.file.find(SERVER)?.issuer).toBe(typeof expected === 'string' ? undefined : 'https://auth');
  });

  it('renews at one server while another is slow', () => {
    const deps = depsOf(serverOf(given({ access_token: 'AT2' })));
    deps.lock('/lock-slow');
    expect(outcomeOf(refresh(deps)(SERVER, stale()))).toMatchObject({ accessToken: 'AT2' });
  });

  it.each([
    ['a final refusal, until there are new tokens', given({ error: 'invalid_grant' }, 400), true],
    ['no refusal that may pass', given({ error: 'busy' }, 503), undefined],
  ])('notes %s', (_, documents, isRefused) => {
    const deps = depsOf(serverOf(documents));
    outcomeOf(refresh(deps)(SERVER, stale()));
    expect(deps.file.find(SERVER)?.isRefused).toBe(isRefused);
    const again = { ...deps, send: serverOf(given({ access_token: 'AT2' })) };
    outcomeOf(refresh(again)(SERVER, stale({ isRefused })));
    expect(deps.file.find(SERVER)?.isRefused).toBeUndefined();
  });

  it('keeps no tokens if somebody logged out while they came, and those of a login that was made then', () => {
    const renewedWhile = (act: (file: ReturnType<typeof fileOf>) => void) => {
      const deps: ReturnType<typeof depsOf> = depsOf(
        serverOf({
          ...DOCUMENTS,
          'https://auth/token': () => {
            act(deps.file);
            return answer(200, { access_token: 'AT2' });
          },
        }),
      );
      return [outcomeOf(refresh(deps)(SERVER, stale())), deps.file.find(SERVER)];
    };
    expect(renewedWhile((file) => file.remove(SERVER))).toEqual([
      'there is no login any more; log in again',
      undefined,
    ]);
    const made = expect.objectContaining({ accessToken: 'AT9' });
    expect(renewedWhile((file) => file.keep(SERVER, { ...OLD, accessToken: 'AT9' }))).toEqual([made, made]);
  });

  it('errors if there is no login any more, without a request', () => {
    const send = serverOf({});
    const deps = depsOf(send);
    deps.file.remove(SERVER);
    expect(outcomeOf(refresh(deps)(SERVER, stale()))).toBe('there is no login any more; log in again');
    expect(send.sent).toEqual([]);
  });

  it('takes what another program has kept, before or while it asks', () => {
    const send = serverOf({});
    const deps = depsOf(send, { ...OLD, accessToken: 'AT3' });
    expect(outcomeOf(refresh(deps)(SERVER, stale()))).toMatchObject({ accessToken: 'AT3' });
    expect(send.sent).toEqual([]);
    const race: ReturnType<typeof depsOf> = depsOf(
      serverOf({
        ...DOCUMENTS,
        'https://auth/token': () => {
          race.file.keep(SERVER, { ...OLD, accessToken: 'AT4' });
          return answer(400, { error: 'invalid_grant' });
        },
      }),
    );
    expect(outcomeOf(refresh(race)(SERVER, stale()))).toMatchObject({ accessToken: 'AT4' });
  });

  it('gives the lock back after 30 s, however slowly each request is answered', () =>
    marbles(({ cold, expectObservable, flush }) => {
      const slow = () => cold('29s r', { r: answer(404) });
      const deps = depsOf((request) => (request.url.endsWith('/token') ? NEVER : slow()));
      expectObservable(refresh(deps)(SERVER, stale())).toBe(
        '30s #',
        undefined,
        expect.objectContaining({ message: 'the login was not renewed within 30 s' }),
      );
      flush();
      expect([...deps.taken]).toEqual([]);
    })());

  it('gives up on a process that holds the lock for a minute', () =>
    marbles(({ expectObservable }) => {
      const deps = depsOf(serverOf({}));
      deps.lock('/lock-s');
      const out$ = refresh(deps)(SERVER, stale());
      expectObservable(out$).toBe('60s #', undefined, expect.objectContaining({ name: 'AuthError' }));
    })());
});
