import fc from 'fast-check';
import { type AuthServer, discover, readChallenge } from '../../../src/settings/mcpAuth/discover';
import { answer, DOCUMENTS, ISSUER, METADATA, outcomeOf, serverOf, URL_, unreachable } from './support';

const found = (documents: Parameters<typeof serverOf>[0], own: object = {}) => {
  const send = serverOf(documents);
  return {
    server: outcomeOf(discover(send)({ url: URL_, challenge: {}, ...own })),
    asked: send.sent.map(({ url }) => url),
  };
};
const FOUND: AuthServer = {
  issuer: ISSUER,
  authorizeUrl: 'https://auth/authorize',
  tokenUrl: 'https://auth/token',
  registerUrl: 'https://auth/register',
  scopes: ['a', 'b'],
  resource: URL_,
  hasPkce: true,
};
const RESOURCE = DOCUMENTS['https://x/.well-known/oauth-protected-resource/mcp'];

describe('discover', () => {
  it('finds the server that the resource names', () => {
    expect(found(DOCUMENTS)).toEqual({ server: FOUND, asked: Object.keys(DOCUMENTS) });
  });

  it('reads the document that the challenge names', () => {
    const documents = { 'https://x/meta': RESOURCE, 'https://auth/.well-known/oauth-authorization-server': METADATA };
    expect(found(documents, { challenge: { metadata: 'https://x/meta' } }).server).toEqual(FOUND);
  });

  it('finds a server that describes itself at its root, and one with a path as OpenID does', () => {
    const issuer = 'https://auth/tenant';
    const { server, asked } = found({
      'https://x/.well-known/oauth-protected-resource': { resource: 'https://x/', authorization_servers: [issuer] },
      'https://auth/tenant/.well-known/openid-configuration': { ...METADATA, issuer: `${issuer}/` },
    });
    expect(server).toMatchObject({ issuer: `${issuer}/`, scopes: [] });
    expect(asked).toEqual([
      'https://x/.well-known/oauth-protected-resource/mcp',
      'https://x/.well-known/oauth-protected-resource',
      'https://auth/.well-known/oauth-authorization-server/tenant',
      'https://auth/.well-known/openid-configuration/tenant',
      'https://auth/tenant/.well-known/openid-configuration',
    ]);
  });

  it('takes the server itself if it names no other, as before 2025-06-18', () => {
    const own = { ...METADATA, issuer: 'https://x' };
    expect(found({ 'https://x/.well-known/oauth-authorization-server': own }).server).toMatchObject({
      issuer: 'https://x',
    });
  });

  it('takes the one that gave the tokens, if it is known', () => {
    const documents = { 'https://old/.well-known/oauth-authorization-server': { ...METADATA, issuer: 'https://old' } };
    expect(found(documents, { issuer: 'https://old' }).server).toMatchObject({ issuer: 'https://old' });
  });

  const AT = 'https://auth/.well-known/oauth-authorization-server';
  const PLAIN = 'x names an address for the login that does not begin with https://';
  it.each<[string, Parameters<typeof serverOf>[0], object, string]>([
    ['nothing to log in at', {}, {}, 'x names no server to log in at; set bearer_token_env_var for it instead'],
    [
      'another resource',
      {
        ...DOCUMENTS,
        'https://x/.well-known/oauth-protected-resource/mcp': { ...RESOURCE, resource: 'https://bank/' },
      },
      {},
      'x describes itself as another server, so nobody logs in there; check the url of the server',
    ],
    [
      'another resource of the same host, whose path begins alike',
      {
        ...DOCUMENTS,
        'https://x/.well-known/oauth-protected-resource/mcp': { ...RESOURCE, resource: 'https://x/mc' },
      },
      {},
      'x describes itself as another server, so nobody logs in there; check the url of the server',
    ],
    [
      'another issuer',
      { ...DOCUMENTS, [AT]: { ...METADATA, issuer: 'https://bank' } },
      {},
      'the server to log in at, auth, describes itself as another one, so nobody logs in there; set bearer_token_env_var instead',
    ],
    ['tokens in the clear', { ...DOCUMENTS, [AT]: { ...METADATA, token_endpoint: 'http://auth/token' } }, {}, PLAIN],
    [
      'tokens in the clear at the host of a server behind TLS',
      { ...DOCUMENTS, [AT]: { ...METADATA, token_endpoint: 'http://x/token' } },
      {},
      PLAIN,
    ],
    [
      'a login page that is no page',
      { ...DOCUMENTS, [AT]: { ...METADATA, authorization_endpoint: 'javascript:alert(1)' } },
      {},
      PLAIN,
    ],
    [
      'a registration in the clear',
      { ...DOCUMENTS, [AT]: { ...METADATA, registration_endpoint: 'http://auth/register' } },
      {},
      PLAIN,
    ],
    ['a document in the clear', {}, { challenge: { metadata: 'http://127.0.0.1/x' } }, PLAIN],
    ['a document at no address', {}, { challenge: { metadata: 'x' } }, PLAIN],
  ])('refuses %s', (_, documents, own, text) => {
    expect(found(documents, own).server).toBe(text);
  });

  it.each([[undefined], [['plain']], ['S256']])('knows no PKCE of a server with the methods %j', (methods) => {
    const server = { ...METADATA, code_challenge_methods_supported: methods };
    expect(found({ ...DOCUMENTS, [AT]: server }).server).not.toHaveProperty('hasPkce');
  });

  it('asks nothing of an issuer in the clear, which could name any other', () => {
    const { server, asked } = found({
      'https://x/.well-known/oauth-protected-resource/mcp': { ...RESOURCE, authorization_servers: ['http://auth'] },
      'http://auth/.well-known/oauth-authorization-server': { ...METADATA, issuer: 'http://auth' },
    });
    expect({ server, asked }).toEqual({ server: PLAIN, asked: ['https://x/.well-known/oauth-protected-resource/mcp'] });
  });

  it('passes over a document that comes with an error', () => {
    const documents = {
      ...DOCUMENTS,
      'https://x/.well-known/oauth-protected-resource/mcp': () => answer(500, RESOURCE),
    };
    expect(found(documents).server).toBe('x names no server to log in at; set bearer_token_env_var for it instead');
  });

  it('takes a resource with its slash, and one above the address', () => {
    const server = (resource: string, url = URL_) =>
      found(
        { 'https://x/meta': { ...RESOURCE, resource }, [AT]: METADATA },
        { url, challenge: { metadata: 'https://x/meta' } },
      ).server;
    expect(server(`${URL_}/`)).toEqual(FOUND);
    expect(server(URL_, `${URL_}/deep`)).toMatchObject({ issuer: ISSUER });
  });

  it('allows addresses without TLS on the host that is configured without it', () => {
    const origin = 'http://127.0.0.1:8';
    const documents = {
      [`${origin}/.well-known/oauth-authorization-server`]: {
        issuer: origin,
        authorization_endpoint: `${origin}/a`,
        token_endpoint: 'http://127.0.0.1:9/t',
      },
    };
    expect(found(documents, { url: `${origin}/mcp` }).server).toMatchObject({ tokenUrl: 'http://127.0.0.1:9/t' });
  });

  it('names a server that cannot be reached', () => {
    expect(outcomeOf(discover(unreachable)({ url: URL_, challenge: {} }))).toBe(
      'x cannot be reached: connect ECONNREFUSED',
    );
  });
});

describe('readChallenge', () => {
  it.each([
    ['', {}],
    ['Bearer', {}],
    ['Bearer resource_metadata="https://x/m"', { metadata: 'https://x/m' }],
    [
      'Bearer error="invalid_token", Resource_Metadata = "https://x/m", scope="a b"',
      { metadata: 'https://x/m', scope: 'a b' },
    ],
    ['Bearer resource_metadata=https://x/m,scope=a', { metadata: 'https://x/m', scope: 'a' }],
    ['Basic realm="x", Bearer scope="a"', { scope: 'a' }],
    ['Bearer scope=""', {}],
    ['Bearer noscope="a", scope="b"', { scope: 'b' }],
  ])('of %j', (header, expected) => {
    expect(readChallenge(header)).toEqual(expected);
  });

  it('reads any header', () => {
    fc.assert(fc.property(fc.string(), (header) => typeof readChallenge(header) === 'object'));
  });
});
