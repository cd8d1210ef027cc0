import { map, merge, NEVER } from 'rxjs';
import { type RefreshDeps, refresh } from '../../../src/settings/mcpAuth/authorized';
import type { Credential, ServerId } from '../../../src/settings/mcpAuth/credentialFile';
import { marbles } from '../../support/marbles';
import { answer, DOCUMENTS, fileOf, locksOf, outcomeOf, SERVER, serverOf } from './support';

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
    ['there is no refresh token', serverOf({}), stale({ refreshToken: undefined }), 'the login has ended'],
    ['nothing is to log in at', serverOf({}), stale(), 'x names no server to log in at'],
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
      'the login was issued by another server than the one that is named now; log in again',
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
    expect(renewedWhile((file) => file.remove(SERVER))).toEqual(['there is no login any more', undefined]);
    const made = expect.objectContaining({ accessToken: 'AT9' });
    expect(renewedWhile((file) => file.keep(SERVER, { ...OLD, accessToken: 'AT9' }))).toEqual([made, made]);
  });

  it('errors if there is no login any more, without a request', () => {
    const send = serverOf({});
    const deps = depsOf(send);
    deps.file.remove(SERVER);
    expect(outcomeOf(refresh(deps)(SERVER, stale()))).toBe('there is no login any more');
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
