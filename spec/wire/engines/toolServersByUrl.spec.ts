/** The real daemon with an MCP server behind a URL, whose tool a scripted model calls. */
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { codexCall, greet } from '../../support/daemon/legacy';
import { endServers, type Json, type Peer, startServer } from '../../support/daemon/peer';
import { rerunOf, SAME_TO_THE_BYTE } from '../../support/daemon/reruns';
import { openHome } from '../../support/home';
import { until } from '../../support/processes';
import { closeMcpOverHttp, startMcpOverHttp } from '../../support/servers/mcpOverHttp';

const odd: Server[] = [];

afterEach(endServers);
afterEach(closeMcpOverHttp);
afterEach(() => {
  for (const server of odd.splice(0)) server.close().closeAllConnections();
});

/** A server with one answer to everything. */
const serveOnce = async (answer: (response: ServerResponse) => unknown): Promise<string> => {
  const server = createServer((_, response) => void answer(response));
  odd.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const SAID = { items: [{ text: 'It said: {{output}}' }] };

/** A server that knows a session until its tools are listed. */
const serveForgetful = async (): Promise<string> => {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    void json(request).then((message) => {
      const { id, method } = message as Json;
      const result = RESULTS[method];
      const body = result ? { result } : { error: { code: -32001, message: 'Session not found' } };
      const headers = { 'content-type': 'application/json', 'mcp-session-id': 'one' };
      if (method.startsWith('notifications/')) return response.writeHead(202).end();
      const answer = { jsonrpc: '2.0', id: result ? id : null, ...body };
      response.writeHead(result ? 200 : 404, headers).end(JSON.stringify(answer));
    });
  });
  odd.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A server that never answers a call; `seen` grows with what it is sent, and with `closed` when the connection of a call is. */
const serveSilent = async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    void json(request).then((message) => {
      const { id, method } = message as Json;
      seen.push(method);
      if (method === 'tools/call') return response.once('close', () => seen.push('closed'));
      if (id === undefined) return response.writeHead(202).end();
      const body = JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS[method] });
      return response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
  });
  odd.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
};

const RESULTS: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
  'tools/list': { tools: [{ name: 'greet', inputSchema: { type: 'object' } }] },
};

const script = {
  scenes: [
    { when: 'wave', answers: [{ items: [{ call: 'web__wave', args: {}, id: 'c1' }] }, SAID] },
    {
      when: 'greet',
      answers: [{ items: [{ call: 'web__greet', args: {}, id: 'c1' }] }, SAID],
    },
  ],
  otherwise: { items: [{ text: 'plain' }] },
};

const opened = async (table: string, env: Record<string, string> = {}, args: string[] = []): Promise<Peer> => {
  const home = openHome();
  home.write('.codex/config.toml', `[mcp_servers.web]\n${table}`);
  const peer = startServer({ home, script, env, args });
  await greet(peer, { elicitation: {} });
  return peer;
};

const call = async (peer: Peer, id: number): Promise<string> => {
  const answer = peer.request('tools/call', codexCall(peer, 'greet', { 'approval-policy': 'on-request' }), id);
  const question = await peer.nextOf('elicitation/create');
  expect(question.params.message).toBe('web: Name?');
  peer.send({ id: question.id, result: { action: 'accept', content: { name: 'Ada' } } });
  return textOf(await answer);
};

const textOf = (answer: Json): string => answer.result.content[0].text;
const warnings = (peer: Peer): string => JSON.stringify(peer.messages.map(({ params }) => params?.msg?.message ?? ''));
const plain = (peer: Peer) => peer.request('tools/call', codexCall(peer, 'hello'), 9).then(textOf);

describe.each(['/mcp', '/sse'])('a server behind a URL, at %s', (path) => {
  it('offers its tools, sends progress and questions, and its session is ended with the daemon', async () => {
    const { url, ended } = await startMcpOverHttp('Hello', 'a-token');
    const peer = await opened(`url = "${url}${path}"\nbearer_token_env_var = "WEB_TOKEN"\n`, { WEB_TOKEN: 'a-token' });
    expect(await call(peer, 1)).toContain('Hello, Ada');
    expect(await call(peer, 2)).toContain('Hello, Ada');
    await peer.end();
    if (path === '/mcp') await until(() => ended.length === 1, 'the end of the session');
  });
});

describe('a server behind a URL', () => {
  it('that has forgotten its sessions is called in a new one', async () => {
    const { url, forget, called, ended } = await startMcpOverHttp('Hello');
    const peer = await opened(`url = "${url}/mcp"\n`);
    await call(peer, 1);
    forget();
    expect(await call(peer, 2)).toContain('Hello, Ada');
    expect(called).toEqual(['Hello', 'Hello']);
    await peer.end();
    await until(() => ended.length === 1, 'the end of the new session');
    expect(ended).toEqual(['session-2-Hello']);
  });

  it('that restarts between two calls is called in a new session, once, and its new tools are offered', async () => {
    const { url, restart, called } = await startMcpOverHttp('Hello');
    const peer = await opened(`url = "${url}/mcp"\n`);
    await call(peer, 1);
    await restart('Welcome', 'wave');
    expect(await call(peer, 2)).toContain('Welcome, Ada');
    expect(called).toEqual(['Hello', 'Welcome']);
    expect(await peer.request('tools/call', codexCall(peer, 'wave'), 3).then(textOf)).toMatch(/It said: .*"wave"/);
  });

  it('that restarts while it is called does not get that call again, but the next', async () => {
    const { url, restart, called } = await startMcpOverHttp('Hello');
    const peer = await opened(`url = "${url}/mcp"\n`);
    const lost = peer.request('tools/call', codexCall(peer, 'greet', { 'approval-policy': 'on-request' }), 1);
    await peer.nextOf('elicitation/create');
    await restart('Welcome');
    expect(textOf(await lost)).toMatch(/has ended its response without a result/);
    expect(await call(peer, 2)).toContain('Welcome, Ada');
    expect(called).toEqual(['Hello', 'Welcome']);
  });

  it('that rejects each new session too fails the call with what to do', async () => {
    const url = await serveForgetful();
    const peer = await opened(`url = "${url}/mcp"\n`);
    expect(await peer.request('tools/call', codexCall(peer, 'greet'), 1).then(textOf)).toMatch(
      /HTTP 404 of http:\/\/127\.0\.0\.1:\d+\/mcp: Session not found, in a new session too; where several servers share/,
    );
  });

  it('that does not answer a call in time gets its cancellation, and then its connection is closed', async () => {
    const { url, seen } = await serveSilent();
    const peer = await opened(`url = "${url}/mcp"\ntool_timeout_sec = 1\n`);
    expect(await peer.request('tools/call', codexCall(peer, 'greet'), 1).then(textOf)).toMatch(
      /nothing about it for 1 s/,
    );
    await until(() => seen.includes('closed'), 'the end of the connection');
    expect(seen.slice(-3)).toEqual(['tools/call', 'notifications/cancelled', 'closed']);
  });

  it('is on the tape of the daemon without its token, which runs again when nobody serves it', async () => {
    const { url } = await startMcpOverHttp('Hello', 'a-token');
    const tapes = openHome();
    const tape = join(tapes.path, 'tape.jsonl');
    const table = `url = "${url}/mcp"\nbearer_token_env_var = "WEB_TOKEN"\n`;
    const peer = await opened(table, { WEB_TOKEN: 'a-token' }, ['--record', tape]);
    await call(peer, 1);
    await peer.end();
    closeMcpOverHttp();
    expect(readFileSync(tape, 'utf8')).not.toContain('a-token');
    expect(rerunOf(peer.home, tape)).toEqual(SAME_TO_THE_BYTE);
  });

  it('takes headers of the configuration and of the environment, and a turn goes on without one that refuses them', async () => {
    const { url } = await startMcpOverHttp('Hello', 'a-token');
    const good = await opened(`url = "${url}/mcp"\nenv_http_headers = { Authorization = "WEB_AUTH" }\n`, {
      WEB_AUTH: 'Bearer a-token',
    });
    expect(await call(good, 1)).toContain('Hello, Ada');
    const bad = await opened(
      `url = "${url}/mcp?key=k1\nhttp_headers = { Authorization = "Bearer wrong" }\n`.replace('k1', 'k1"'),
    );
    expect(await plain(bad)).toBe('plain');
    expect(warnings(bad)).toMatch(/web.*HTTP 401 of http:\/\/127\.0\.0\.1:\d+\/mcp; bearer_token_env_var names/);
    expect(warnings(bad)).not.toMatch(/wrong|k1/);
  });

  it.each([
    ['bearer_token_env_var = "NOT_SET"', /the variable NOT_SET, which bearer_token_env_var names, is not set/],
    ['environment_id = "build"', /is reached from this machine; take environment_id = .*build.* out/],
  ])('that cannot be addressed is left out with the reason: %s', async (line, reason) => {
    const peer = await opened(`url = "http://127.0.0.1:1/mcp"\n${line}\n`);
    expect(await plain(peer)).toBe('plain');
    expect(warnings(peer)).toMatch(reason);
  });

  const ODD: [string, (response: ServerResponse) => unknown, RegExp][] = [
    [
      'redirects',
      (response) => response.writeHead(307, { location: '/other?key=k1' }).end(),
      /HTTP 307 of http:\/\/127\.0\.0\.1:\d+\/mcp, which leads to http:\/\/127\.0\.0\.1:\d+\/other; redirects are not followed/,
    ],
    [
      'breaks off within its response',
      (response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {', () => response.destroy()),
      /has ended its response without a result \(the connection was closed within the response\); see its log/,
    ],
    [
      'ends its response too early',
      (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n'),
      /has ended its response without a result; see its log/,
    ],
    [
      'is a web page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      /text\/html, not with a message/,
    ],
  ];

  it.each(ODD)('that %s is reported at once, not at the end of startup_timeout_sec', async (_, answer, reason) => {
    const url = await serveOnce(answer);
    const peer = await opened(`url = "${url}/mcp"\nstartup_timeout_sec = 600\n`);
    expect(await plain(peer)).toBe('plain');
    expect(warnings(peer)).toMatch(reason);
    expect(warnings(peer)).not.toContain('k1');
  });

  it('that is no address, or that nobody serves, is left out with the reason', async () => {
    const odd = await opened('url = "ftp://x/y"\n');
    expect(await plain(odd)).toBe('plain');
    expect(warnings(odd)).toContain('its url is no address that begins with https:// or http://');
    const dead = await opened('url = "http://127.0.0.1:1/mcp"\n');
    expect(await plain(dead)).toBe('plain');
    expect(warnings(dead)).toMatch(/http:\/\/127\.0\.0\.1:1\/mcp cannot be reached: .*is the server running\?/);
  });
});
