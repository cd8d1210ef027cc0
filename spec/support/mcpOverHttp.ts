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

export type McpOverHttp = { url: string; forget: () => void; ended: string[] };

/** Both transports of a server, each with a session for each client. */
const endpoints = (greeting: string): { answer: Answer; forget: () => void; ended: string[] } => {
  const ended: string[] = [];
  const sessions = new Map<string, StreamableHTTPServerTransport | SSEServerTransport>();
  let count = 0;
  const begin = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => `session-${++count}`,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void ended.push(id),
    });
    await mcpServer(greeting).connect(transport);
    return transport;
  };
  const answer: Answer = async (request, response) => {
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
  return { answer, forget: () => sessions.clear(), ended };
};

/**
 * Starts it at a free port of this machine. `forget` makes it forget its sessions, as a restart does; `ended` are those that clients ended.
 * With a token it answers 401 to whoever does not send it.
 */
export const startMcpOverHttp = async (greeting: string, token?: string): Promise<McpOverHttp> => {
  const { answer, forget, ended } = endpoints(greeting);
  const server = createServer((request, response) => {
    const isKnown = token === undefined || request.headers.authorization === `Bearer ${token}`;
    if (isKnown) void answer(request, response);
    else response.writeHead(401).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, forget, ended };
};
