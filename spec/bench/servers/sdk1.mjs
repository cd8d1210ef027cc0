/** The least server on the official TypeScript SDK, version 1; its tool list is about as long as an agent's. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { fields } from './fields.mjs';

const server = new McpServer({ name: 'sdk-v1', version: '0' });
for (const name of ['plain', 'plain-reply']) {
  server.registerTool(name, { description: `The tool ${name}`, inputSchema: fields(z) }, async () => ({ content: [] }));
}
await server.connect(new StdioServerTransport());
