/** A real MCP server over HTTP, in both transports of the official SDK. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

const servers: Server[] = [];

/** Ends every server that was started, with its connections. */
export const closeMcpOverHttp = (): void => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
};

/**
 * A tool that reports progress and asks the user; its result begins with `greeting`, which is added to `called` at each call. The `others` answer with
 * their names.
 */
const mcpServer = ({ greeting, called, others = [] }: Tools): McpServer => {
  const mcp = new McpServer({ name: 'small', version: '1' });
  mcp.registerTool('greet', { description: 'Greets' }, async ({ _meta, sendNotification, sendRequest }) => {
    called.push(greeting);
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
  for (const name of others)
    mcp.registerTool(name, { description: name }, async () => ({ content: [{ type: 'text', text: name }] }));
  return mcp;
};

const SCHEMA = { type: 'object' as const, properties: { name: { type: 'string' as const } } };

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

type Tools = { greeting: string; called: string[]; others?: readonly string[] };

/** @param restart ends it with its connections, and starts another at the same address */
export type McpOverHttp = {
  url: string;
  forget: () => void;
  ended: string[];
  called: string[];
  restart: (greeting: string, ...others: string[]) => Promise<void>;
};

/** Both transports of a server, each with a session for each client. */
const endpoints = (tools: Tools) => {
  const ended: string[] = [];
  const sessions = new Map<string, StreamableHTTPServerTransport | SSEServerTransport>();
  let count = 0;
  const begin = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => `session-${++count}-${tools.greeting}`,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void ended.push(id),
    });
    await mcpServer(tools).connect(transport);
    return transport;
  };
  const answer: Answer = async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    if (pathname === '/sse' && request.method === 'GET') {
      const transport = new SSEServerTransport('/message', response);
      sessions.set(transport.sessionId, transport);
      return mcpServer(tools).connect(transport);
    }
    const known = sessions.get(`${request.headers['mcp-session-id'] ?? searchParams.get('sessionId')}`);
    if (known instanceof SSEServerTransport) return known.handlePostMessage(request, response);
    if (pathname !== '/mcp') return void response.writeHead(404).end();
    return (known ?? (await begin())).handleRequest(request, response);
  };
  const end = async (): Promise<void> => {
    for (const transport of sessions.values()) await transport.close();
  };
  return { answer, forget: () => sessions.clear(), ended, end };
};

/**
 * Starts it at a free port of this machine. `forget` makes it forget its sessions: it rejects them with status 400 then, and after `restart` with 404.
 * `ended` are those that clients ended; `called` grows with the greeting of each call.
 * With a token it answers 401 to whoever does not send it.
 */
export const startMcpOverHttp = async (greeting: string, token?: string): Promise<McpOverHttp> => {
  const called: string[] = [];
  const { answer, forget, ended, end } = endpoints({ greeting, called });
  const server = await listening((request, response) => {
    const isKnown = token === undefined || request.headers.authorization === `Bearer ${token}`;
    if (isKnown) void answer(request, response);
    else response.writeHead(401).end();
  });
  const { port } = server.address() as AddressInfo;
  const restart: McpOverHttp['restart'] = async (next, ...others) => {
    await end();
    await closed(server);
    const restarted = endpoints({ greeting: next, called, others });
    await listening((request, response) => {
      const session = request.headers['mcp-session-id'];
      if (session === undefined || session.includes(next)) return void restarted.answer(request, response);
      response.writeHead(404, { 'content-type': 'application/json' }).end(LOST);
    }, port);
  };
  return { url: `http://127.0.0.1:${port}`, forget, ended, called, restart };
};

/** Source: MCP SDK for TypeScript 1.25. */
const LOST = '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}';

const listening = async (answer: (request: IncomingMessage, response: ServerResponse) => void, port = 0) => {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
};

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
