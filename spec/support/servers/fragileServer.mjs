/** A small MCP server whose one tool fails in another way for each kind of wrong argument. */
import { createInterface } from 'node:readline';

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const schema = (properties) => ({ type: 'object', properties });

const TOOLS = {
  crash: (id, { value }) => say({ id, result: text(value.toFixed(1)) }),
  hang: (id, { value }) => typeof value === 'number' && say({ id, result: text('a number') }),
  flood: (id, { value }) => {
    const forever = () => {
      while (process.stdout.write(`${' '.repeat(60_000)}\n`));
      process.stdout.once('drain', forever);
    };
    if (typeof value === 'number') say({ id, result: text('a number') });
    else forever();
  },
  noise: (id, { value }) => {
    if (typeof value !== 'number') process.stdout.write('not a number!\n');
    say({ id, result: text('done') });
  },
  twice: (id, { value }) => {
    if (typeof value !== 'number') say({ id, result: text('early') });
    say({ id, result: text('done') });
  },
  internal: (id, { value }) =>
    typeof value === 'number'
      ? say({ id, result: text('done') })
      : say({ id, error: { code: -32603, message: 'oops' } }),
  trace: (id, { value }) => {
    try {
      say({ id, result: text(value.toFixed(1)) });
    } catch (error) {
      say({ id, result: { ...text(error.stack), isError: true } });
    }
  },
  sound: (id, { value }) =>
    typeof value === 'number'
      ? say({ id, result: text('done') })
      : say({ id, error: { code: -32602, message: 'value must be a number' } }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize')
    say({
      id,
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'fragile', version: '1' },
      },
    });
  if (method === 'tools/list') {
    const tools = Object.keys(TOOLS).map((name) => ({ name, inputSchema: schema({ value: { type: 'number' } }) }));
    say({ id, result: { tools } });
  }
  if (method === 'tools/call') TOOLS[params.name](id, params.arguments ?? {});
});
