import fc from 'fast-check';
import { claimsOf, readAuthFile, toKeyFile, toTokenFile } from '../../../src/settings/auth/authFile';
import { authJson, ID, jwt, NOW } from './support';

describe('readAuthFile', () => {
  it('reads the tokens, whom they are of, and when they were got', () => {
    const file = readAuthFile(authJson('AT', { last_refresh: '2026-11-22T00:00:00.936701139Z' }));
    expect(file).toMatchObject({
      lastRefreshMs: NOW + 936,
      tokens: {
        idToken: ID,
        accessToken: 'AT',
        refreshToken: 'RT',
        accountId: 'acc1',
        claims: { email: 'a@b.c', plan: 'plus', accountId: 'acc1' },
      },
    });
  });

  it.each(['', '{', '[]', '{"tokens":1}', '{"OPENAI_API_KEY":1}', '{"tokens":{"id_token":"a.b"}}'])(
    'refuses %j',
    (text) => {
      expect(readAuthFile(text)).toBeUndefined();
    },
  );

  it('takes null for what is not there', () => {
    expect(readAuthFile('{"OPENAI_API_KEY":null,"tokens":null,"last_refresh":null}')).toEqual({
      raw: expect.any(Object),
    });
  });

  it('reads any text', () => {
    const members = fc.dictionary(fc.constantFrom('OPENAI_API_KEY', 'tokens', 'last_refresh'), fc.jsonValue());
    fc.assert(
      fc.property(members, (file) => {
        expect(['object', 'undefined']).toContain(typeof readAuthFile(JSON.stringify(file)));
      }),
    );
  });
});

describe('what is written', () => {
  it('is read again', () => {
    expect(readAuthFile(toKeyFile('sk-1'))?.apiKey).toBe('sk-1');
    const tokens = { idToken: ID, accessToken: 'AT', refreshToken: 'RT', accountId: 'acc2' };
    expect(readAuthFile(toTokenFile(tokens, NOW))).toMatchObject({ lastRefreshMs: NOW, tokens });
  });

  it('keeps members of the old file that only another release knows', () => {
    const old = { OPENAI_API_KEY: 'sk', moon: 1, tokens: { login_owner_id: 'x', access_token: 'old' } };
    const tokens = { idToken: ID, accessToken: 'AT', refreshToken: 'RT' };
    expect(JSON.parse(toTokenFile(tokens, NOW, old))).toEqual({
      auth_mode: 'chatgpt',
      OPENAI_API_KEY: 'sk',
      moon: 1,
      last_refresh: '2026-11-22T00:00:00.000Z',
      tokens: { login_owner_id: 'x', id_token: ID, access_token: 'AT', refresh_token: 'RT', account_id: null },
    });
  });
});

describe('claimsOf', () => {
  it('reads who a token is of, and until when', () => {
    const auth = { chatgpt_plan_type: 'pro', chatgpt_account_id: 'acc' };
    expect(claimsOf(jwt({ email: 'a@b.c', exp: 7, auth }))).toEqual({
      email: 'a@b.c',
      plan: 'pro',
      accountId: 'acc',
      expiresMs: 7_000,
    });
    expect(claimsOf(jwt())).toEqual({});
  });

  it.each(['', 'AT', 'a.b', 'a..c', 'a.b.c.d', `e30.${Buffer.from('[]').toString('base64url')}.s`])(
    'refuses %j',
    (token) => {
      expect(claimsOf(token)).toBeUndefined();
    },
  );

  it('reads any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => void expect(claimsOf(`a.${text}.c`) ?? {}).toEqual(expect.any(Object))),
    );
  });
});
