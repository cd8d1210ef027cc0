// A server of revision 2026-07-28 over HTTP, by the official SDK: a tool that reports progress, one that asks (input_required).
// Run: node modernServer.mjs FOLDER, where the SDK is installed.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.argv[2], 'x.js'));
const { createMcpHandler, McpServer, inputRequired } = require('@modelcontextprotocol/server');
const { toNodeHandler } = require('@modelcontextprotocol/node');

const schema = { type: 'object', properties: { name: { type: 'string' } } };

const makeServer = () => {
  const server = new McpServer({ name: 'modern', version: '1' });
  server.registerTool('count', { description: 'Counts' }, async (context) => {
    const progressToken = context.mcpReq._meta?.progressToken;
    for (const progress of [1, 2]) {
      if (progressToken !== undefined)
        await context.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 2 },
        });
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    return { content: [{ type: 'text', text: 'counted' }] };
  });
  server.registerTool('greet', { description: 'Asks for a name' }, async (context) => {
    const given = context.mcpReq.inputResponses?.name;
    if (given === undefined)
      return inputRequired({
        inputRequests: { name: inputRequired.elicit({ message: 'Name?', requestedSchema: schema }) },
        requestState: `state-${Math.random()}`,
      });
    return { content: [{ type: 'text', text: `Hello, ${given.content?.name}` }] };
  });
  return server;
};

const handler = toNodeHandler(createMcpHandler(makeServer));
const listener = createServer((request, response) => void handler(request, response));
listener.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));
