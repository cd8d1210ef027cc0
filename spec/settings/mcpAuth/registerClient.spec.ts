import { registerClient } from '../../../src/settings/mcpAuth/mcpLogin';
import { answer, outcomeOf, serverOf } from './support';

const server = {
  issuer: 'https://auth',
  authorizeUrl: '',
  tokenUrl: '',
  scopes: [],
  resource: '',
  registerUrl: 'https://auth/r',
};
const BACK = 'http://127.0.0.1:7/callback';

describe('registerClient', () => {
  it('emits the id that the server gives', () => {
    const send = serverOf({ 'https://auth/r': () => answer(201, { client_id: 'c' }) });
    expect(outcomeOf(registerClient(send, server, BACK))).toBe('c');
    expect(JSON.parse(send.sent[0]?.body ?? '')).toEqual({
      ...{ client_name: 'codex-rx', redirect_uris: [BACK], token_endpoint_auth_method: 'none' },
      ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
    });
  });

  it.each([
    [
      'a refusal',
      answer(400, { error: 'invalid_redirect_uri' }),
      'auth does not register this program: 400, invalid_redirect_uri',
    ],
    ['a refusal with an id', answer(400, { client_id: 'c' }), 'auth does not register this program: 400'],
    ['a response without an id', answer(201, {}), 'auth does not register this program: 201'],
  ])('errors with %s', (_, response, text) => {
    expect(outcomeOf(registerClient(serverOf({ 'https://auth/r': () => response }), server, BACK))).toBe(text);
  });

  it('names what to do where clients cannot register', () => {
    const { registerUrl: _, ...closed } = server;
    expect(outcomeOf(registerClient(serverOf({}), closed, BACK))).toBe(
      'auth registers no clients; name a token by bearer_token_env_var instead',
    );
  });
});
