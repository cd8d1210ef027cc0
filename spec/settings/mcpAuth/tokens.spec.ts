import type { TokenResponse } from '../../../src/settings/auth/readTokenResponse';
import { toTokens } from '../../../src/settings/mcpAuth/tokens';

const known = { issuer: 'i', clientId: 'c', refreshToken: 'old', scopes: ['a'] };
const given = (json: object, status = 200): TokenResponse => ({ status, statusText: 'S', json: { ...json } });

describe('toTokens', () => {
  it.each([
    ['an access token', { access_token: 't' }, { ...known, accessToken: 't' }],
    [
      'all',
      { access_token: 't', refresh_token: 'r', expires_in: 60, scope: 'b  c' },
      { ...known, accessToken: 't', refreshToken: 'r', expiresMs: 61_000, lifeMs: 60_000, scopes: ['b', 'c'] },
    ],
    [
      'a time as a text',
      { access_token: 't', expires_in: '60' },
      { ...known, accessToken: 't', expiresMs: 61_000, lifeMs: 60_000 },
    ],
    ['a time that is none', { access_token: 't', expires_in: 'soon' }, { ...known, accessToken: 't' }],
  ])('reads %s', (_, json, expected) => {
    expect(toTokens(given(json), known, 1_000)).toEqual(expected);
  });

  it.each([
    [
      { error: 'invalid_grant', error_description: 'used' },
      400,
      'no token was given: 400 S, invalid_grant, used',
      true,
    ],
    [{ access_token: 's3cret' }, 500, 'no token was given: 500 S', false],
    [{ access_token: '' }, 200, 'no token was given: 200 S', false],
    [{ access_token: 'a\r\nx-evil: 1' }, 200, 'no token was given: 200 S', false],
    [{}, 401, 'no token was given: 401 S', true],
  ])('refuses %j with status %d', (json, status, message, isFinal) => {
    expect(() => toTokens(given(json, status), known, 0)).toThrow(expect.objectContaining({ message, isFinal }));
  });
});
