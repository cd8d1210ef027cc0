/** The least server on the official TypeScript SDK, version 2; its tool list is about as long as an agent's. */
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { fields } from './fields.mjs';

const server = new McpServer({ name: 'sdk-v2', version: '0' });
for (const name of ['plain', 'plain-reply']) {
  const inputSchema = z.object(fields(z));
  server.registerTool(name, { description: `The tool ${name}`, inputSchema }, async () => ({ content: [] }));
}
await server.connect(new StdioServerTransport());
