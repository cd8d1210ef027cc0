/** Servers over HTTP before real clients: recorded, replayed to the same clients, verified; in both transports. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Home, openHome, removeHomes } from '../support/home';
import { closePrograms, startCodexRx as start } from '../support/httpPrograms';

const servers: Server[] = [];
afterEach(async () => {
  closePrograms();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await removeHomes();
});

/** A tool that reports progress and asks the user; `greeting` is what its result begins with. */
const mcpServer = (greeting: string): McpServer => {
  const mcp = new McpServer({ name: 'small', version: '1' });
  mcp.registerTool('greet', { description: 'Greets' }, async ({ _meta, sendNotification, sendRequest }) => {
    const progressToken = _meta?.progressToken;
    if (progressToken !== undefined)
      await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    await new Promise((resolve) => setTimeout(resolve, 20)); // clients lose progress that comes with its response
    const asked = { method: 'elicitation/create' as const, params: { message: 'Name?', requestedSchema: SCHEMA } };
    const { content } = await sendRequest(
      asked,
      (await import('@modelcontextprotocol/sdk/types.js')).ElicitResultSchema,
    );
    return { content: [{ type: 'text', text: `${greeting}, ${content?.name}` }] };
  });
  return mcp;
};

const SCHEMA = { type: 'object' as const, properties: { name: { type: 'string' as const } } };

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Both transports of a server, each with a session for each client. */
const endpoints = (greeting: string): Answer => {
  const sessions = new Map<string, StreamableHTTPServerTransport | SSEServerTransport>();
  let count = 0;
  const begin = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => `session-${++count}`,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await mcpServer(greeting).connect(transport);
    return transport;
  };
  return async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    if (pathname === '/sse' && request.method === 'GET') {
      const transport = new SSEServerTransport('/message', response);
      sessions.set(transport.sessionId, transport);
      return mcpServer(greeting).connect(transport);
    }
    const known = sessions.get(`${request.headers['mcp-session-id'] ?? searchParams.get('sessionId')}`);
    if (known instanceof SSEServerTransport) return known.handlePostMessage(request, response);
    if (pathname !== '/mcp') return void response.writeHead(404).end();
    return (known ?? (await begin())).handleRequest(request, response);
  };
};

const startServer = async (greeting: string): Promise<string> => {
  const answer = endpoints(greeting);
  const server = createServer((request, response) => void answer(request, response));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

type Got = { tools: string[]; progress: number; text: unknown };

/** What the v1 client gets of a server. */
const used = async (transport: StreamableHTTPClientTransport | SSEClientTransport): Promise<Got> => {
  const client = new Client({ name: 'spec', version: '0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
  await client.connect(transport as Parameters<Client['connect']>[0]);
  let progress = 0;
  const { tools } = await client.listTools();
  const count = { onprogress: () => void progress++ };
  const { content } = await client.callTool({ name: 'greet', arguments: {} }, undefined, count);
  if ('terminateSession' in transport) await transport.terminateSession();
  await client.close();
  return { tools: tools.map(({ name }) => name), progress, text: content };
};

/** What the v2 client gets of it, which probes the server first. */
const usedByNew = async (url: string): Promise<Got> => {
  const client = new NewClient(
    { name: 'spec', version: '0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
  const transport = new NewTransport(new URL(url));
  await client.connect(transport);
  let progress = 0;
  const { tools } = await client.listTools();
  const { content } = await client.callTool({ name: 'greet', arguments: {} }, { onprogress: () => void progress++ });
  await transport.terminateSession();
  await client.close();
  return { tools: tools.map(({ name }) => name), progress, text: content };
};

const WHOLE: Got = { tools: ['greet'], progress: 1, text: [{ type: 'text', text: 'Hello, Ada' }] };

const CLIENTS: [string, string, (url: string) => Promise<Got>][] = [
  ['the v1 client', '/mcp', (url) => used(new StreamableHTTPClientTransport(new URL(url)))],
  ['the v1 client on the older transport', '/sse', (url) => used(new SSEClientTransport(new URL(url)))],
  ['the v2 client, which probes first', '/mcp', usedByNew],
];

describe.each(CLIENTS)('%s', (_, path, client) => {
  it('is recorded, gets the same of the tape, and the server is verified by it', async () => {
    const home = openHome();
    const tape = join(home.path, 'tape.jsonl');
    const server = await startServer('Hello');
    const recorder = start(home, 'record', '--http', '0', '-o', tape, '--', server + path);
    expect(await client(await recorder.found(/clients is (\S+)/))).toEqual(WHOLE);
    expect((await recorder.end()).code).toBe(0);
    expect(existsSync(join(home.path, 'tape-2.jsonl'))).toBe(false);
    expect(readFileSync(tape, 'utf8')).not.toContain('session-1');

    const player = start(home, 'replay', tape, '--http', '0');
    const address = await player.found(/ at (http:\S+?)\/mcp/);
    expect(await client(address + path)).toEqual(WHOLE);
    expect((await player.end()).code).toBe(0);

    expect(await verified(home, tape, server + path)).toEqual([0, expect.stringMatching(/^SAME: /)]);
    const other = await startServer('Bye');
    expect(await verified(home, tape, other + path)).toEqual([
      1,
      expect.stringContaining('recorded "Hello, Ada", now "Bye, Ada"'),
    ]);
  });
});

const verified = async (home: Home, tape: string, url: string): Promise<[number | null, string]> => {
  const { code, stdout } = await start(home, 'replay', tape, '--', url).ended;
  return [code, stdout];
};

describe('a server over HTTP', () => {
  it('is recorded on a tape for each session, also at the same time', async () => {
    const home = openHome();
    const server = await startServer('Hello');
    const recorder = start(home, 'record', '--http', '0', '-o', join(home.path, 'tape.jsonl'), '--', `${server}/mcp`);
    const url = await recorder.found(/clients is (\S+)/);
    const client = () => used(new StreamableHTTPClientTransport(new URL(url)));
    expect(await Promise.all([client(), client()])).toEqual([WHOLE, WHOLE]);
    const { stderr } = await recorder.end();
    expect(stderr.match(/5 lines from the client, 5 from the server/g)).toHaveLength(2);
    expect(existsSync(join(home.path, 'tape-2.jsonl'))).toBe(true);
  });

  it('cannot be used by a web page, neither recorded nor played', async () => {
    const home = openHome();
    const tape = join(home.path, 'tape.jsonl');
    const server = await startServer('Hello');
    const recorder = start(home, 'record', '--http', '0', '-o', tape, '--', `${server}/mcp`);
    const url = await recorder.found(/clients is (\S+)/);
    await used(new StreamableHTTPClientTransport(new URL(url)));
    const status = async (address: string) =>
      (await fetch(address, { method: 'POST', body: '{}', headers: { origin: 'http://evil.example' } })).status;
    expect(await status(url)).toBe(403);
    await recorder.end();
    const player = start(home, 'replay', tape, '--http', '0');
    expect(await status(await player.found(/ at (http:\S+\/mcp)/))).toBe(403);
    await player.end();
  });

  it('that is not there is one line and exit code 2', async () => {
    const home = openHome();
    const tape = home.write('tape.jsonl', '{"t":0,"dir":"in","line":"{\\"id\\":1,\\"method\\":\\"ping\\"}"}\n');
    const player = start(home, 'replay', tape, '--', 'http://127.0.0.1:1/mcp');
    const text = await player.found(/(.*is the server running\?)/);
    expect([text, (await player.ended).code]).toEqual([
      expect.stringMatching(/^codex-rx replay: http:\/\/127\.0\.0\.1:1\/mcp cannot be reached: .*ECONNREFUSED/),
      2,
    ]);
  });
});
