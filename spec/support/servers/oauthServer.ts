/** An MCP server over HTTP that wants a login by OAuth, and its authorization server, in one. */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const servers: Server[] = [];

/** Ends every server that was started, with its connections. */
export const closeOauthServers = (): void => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
};

/**
 * @param expiresIn of an access token, in seconds; @param declines the person does not agree; @param plain it names no metadata of its own,
 * as before 2025-06-18
 * @param closed clients cannot register; @param unprotected it does not say that it knows PKCE
 */
export type OauthSettings = {
  expiresIn?: number;
  declines?: boolean;
  plain?: boolean;
  closed?: boolean;
  unprotected?: boolean;
};

/**
 * `url` is the MCP server's; `forget` makes all access tokens void, `revoke` the refresh tokens too; `grants` are the requests for tokens,
 * without their secrets.
 */
export type OauthServer = { url: string; forget: () => void; revoke: () => void; grants: Record<string, string>[] };

/** Starts it at a free port of this machine. Whoever opens the login page agrees. */
export const startOauthServer = async (settings: OauthSettings = {}): Promise<OauthServer> => {
  const server = createServer(
    (request, response) => void bodyOf(request).then((body) => answer({ request, response, body })),
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { answer, ...rest } = answersOf(origin, settings);
  return { url: `${origin}/mcp`, ...rest };
};

type IncomingRequest = { request: IncomingMessage; response: ServerResponse; body: string };

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = '';
  for await (const part of request) body += part;
  return body;
};

const send = (response: ServerResponse, status: number, value: object, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
};

const answersOf = (origin: string, { expiresIn = 3600, declines, plain, closed, unprotected }: OauthSettings) => {
  const [codes, access, refresh] = [new Map<string, URLSearchParams>(), new Set<string>(), new Set<string>()];
  const grants: Record<string, string>[] = [];
  const issue = (
    response: ServerResponse,
    { code_verifier: _, code: __, refresh_token: ___, ...grant }: Record<string, string>,
  ) => {
    grants.push(grant);
    const tokens = { access_token: `access-${randomUUID()}`, refresh_token: `refresh-${randomUUID()}` };
    access.add(tokens.access_token);
    refresh.add(tokens.refresh_token);
    send(response, 200, { ...tokens, token_type: 'Bearer', expires_in: expiresIn, scope: 'tools' });
  };
  const routes: Record<string, (incoming: IncomingRequest) => void> = {
    ...(!plain && {
      '/.well-known/oauth-protected-resource/mcp': ({ response }) =>
        send(response, 200, {
          resource: `${origin}/mcp`,
          authorization_servers: [origin],
          scopes_supported: ['tools'],
        }),
    }),
    '/.well-known/oauth-authorization-server': ({ response }) =>
      send(response, 200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        ...(!closed && { registration_endpoint: `${origin}/register` }),
        response_types_supported: ['code'],
        ...(!unprotected && { code_challenge_methods_supported: ['S256'] }),
      }),
    '/register': ({ response, body }) => send(response, 201, { ...JSON.parse(body), client_id: 'a-client' }),
    '/authorize': ({ request, response }) => {
      const query = new URL(request.url ?? '', origin).searchParams;
      const code = randomUUID();
      codes.set(code, query);
      const state = query.get('state') ?? '';
      const back = new URLSearchParams(
        declines
          ? { error: 'access_denied', state }
          : [
              ['code', code],
              ['state', state],
            ],
      );
      response.writeHead(302, { location: `${query.get('redirect_uri')}?${back}` }).end();
    },
    '/token': ({ response, body }) => {
      const form = Object.fromEntries(new URLSearchParams(body));
      const asked = codes.get(form.code ?? '');
      const challenge = createHash('sha256')
        .update(form.code_verifier ?? '')
        .digest('base64url');
      const isCode = asked?.get('code_challenge') === challenge && asked?.get('redirect_uri') === form.redirect_uri;
      const isRefresh = form.grant_type === 'refresh_token' && refresh.delete(form.refresh_token ?? '');
      if (isCode || isRefresh) issue(response, form);
      else send(response, 400, { error: 'invalid_grant', error_description: 'the grant is void' });
    },
    '/mcp': ({ request, response, body }) => {
      const [, token = ''] = /^Bearer (.*)$/.exec(request.headers.authorization ?? '') ?? [];
      const named = plain ? 'Bearer' : `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
      if (!access.has(token)) return send(response, 401, { error: 'invalid_token' }, { 'www-authenticate': named });
      return answerMcp(response, request.method === 'POST' ? JSON.parse(body) : {});
    },
  };
  const answer = (incoming: IncomingRequest): void => {
    const route = routes[(incoming.request.url ?? '').split('?', 1)[0] as string];
    if (route) route(incoming);
    else incoming.response.writeHead(404).end();
  };
  const revoke = () => {
    access.clear();
    refresh.clear();
  };
  return { answer, grants, forget: () => access.clear(), revoke };
};

const RESULTS: Record<string, object> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'guarded', version: '1' },
  },
  'tools/list': { tools: [{ name: 'whoami', description: 'Who', inputSchema: { type: 'object', properties: {} } }] },
  'tools/call': { content: [{ type: 'text', text: 'a known client' }] },
};

const answerMcp = (response: ServerResponse, { id, method }: { id?: number; method?: string }): void => {
  if (method === undefined) response.writeHead(405).end();
  else if (id === undefined) response.writeHead(202).end();
  else send(response, 200, { jsonrpc: '2.0', id, result: RESULTS[method] ?? {} });
};
