import { checkPkce } from '../../../src/settings/mcpAuth/mcpLogin';

const SERVER = {
  issuer: 'https://auth',
  authorizeUrl: 'https://auth/a',
  tokenUrl: 'https://auth/t',
  scopes: [],
  resource: 'https://x',
};

describe('checkPkce', () => {
  it('accepts a server with PKCE, and throws for any other, with what to do', () => {
    expect(() => checkPkce({ ...SERVER, hasPkce: true })).not.toThrow();
    expect(() => checkPkce(SERVER)).toThrow(/^auth does not say .*; name a token by bearer_token_env_var instead$/);
  });
});
