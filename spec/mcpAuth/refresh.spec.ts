import { map, merge, NEVER } from 'rxjs';
import type { Credential } from '../../src/mcpAuth/credentialFile';
import { type RefreshDeps, refresh } from '../../src/mcpAuth/refresh';
import { marbles } from '../support/marbles';
import { answer, DOCUMENTS, fileOf, outcomeOf, SERVER, serverOf } from './support';

const OLD = { issuer: 'https://auth', clientId: 'c', accessToken: 'AT', refreshToken: 'RT', scopes: ['a'] };
const locks = () => {
  const taken = new Set<string>();
  const lock = (path: string) => {
    if (taken.has(path)) return { kind: 'taken' as const, holder: { pid: 1, start: '', host: '' }, path };
    taken.add(path);
    return { kind: 'locked' as const, release: () => void taken.delete(path) };
  };
  return { lock, taken };
};
const depsOf = (send: RefreshDeps['send'], old: Credential = OLD) => {
  const file = fileOf();
  file.keep(SERVER, old);
  const { lock, taken } = locks();
  return { send, file, lock, taken, lockPath: '/lock', now: () => 1_000 };
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
      ...{ grant_type: 'refresh_token', refresh_token: 'RT', client_id: 'c', resource: SERVER.url },
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
  ])('errors where %s', (_, send, old, text) => {
    expect(outcomeOf(refresh(depsOf(send))(SERVER, old))).toBe(text);
  });

  it('asks the server that gave the login, whatever the resource names now', () => {
    const send = serverOf({
      ...DOCUMENTS,
      'https://old/.well-known/oauth-authorization-server': {
        ...{ issuer: 'https://old', authorization_endpoint: 'https://old/a', token_endpoint: 'https://old/t' },
      },
      'https://old/t': { access_token: 'AT2' },
    });
    const login = stale({ issuer: 'https://old' });
    expect(outcomeOf(refresh(depsOf(send, login))(SERVER, login))).toMatchObject({ issuer: 'https://old' });
  });

  it('errors where there is no login any more, without a request', () => {
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
      deps.lock('/lock');
      const out$ = refresh(deps)(SERVER, stale());
      expectObservable(out$).toBe('60s #', undefined, expect.objectContaining({ name: 'AuthError' }));
    })());
});
