import { authorizeUrl, newProof, redirectUri } from '../../../src/settings/auth/authorization';

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
