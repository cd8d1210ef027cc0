/** A small MCP server on stdio: pages of tools, progress, questions, tools that hang or die. Its first argument is its mood. */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [mood = 'well', log] = process.argv.slice(2);
const note = (text) => log && appendFileSync(log, `${text}\n`);
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (words) => ({ content: [{ type: 'text', text: words }] });

note(`start ${process.pid}`);
if (mood === 'dead') {
  process.stderr.write('cannot find my database\n');
  process.exit(3);
}

const empty = { type: 'object', properties: {} };
const PAGES = {
  first: {
    tools: [
      {
        name: 'echo',
        description: 'Says it again',
        inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      },
    ],
    nextCursor: 'second',
  },
  second: {
    tools: [
      ...['slow', 'form', 'hang', 'die', 'wrong', 'deep'].map((name) => ({ name, inputSchema: empty })),
      { name: 'look', inputSchema: empty, annotations: { readOnlyHint: true } },
      { name: 'odd', inputSchema: { type: 'string' } },
    ],
  },
};

const asked = new Map();
const TOOLS = {
  echo: (id, { text: words = '' }) => say({ id, result: text(`${words} from ${process.pid}`) }),
  look: (id) => say({ id, result: { structuredContent: { env: Object.keys(process.env).sort() } } }),
  wrong: (id) => say({ id, result: { ...text('that went wrong'), isError: true } }),
  slow: (id, _, token) => {
    say({ method: 'notifications/progress', params: { progressToken: token, progress: 1, total: 2, message: 'half' } });
    setTimeout(() => say({ id, result: text('slow but sure') }), 80);
  },
  form: (id) => {
    asked.set('q1', ({ action, content }) => say({ id, result: text(`${action} ${content?.name ?? ''}`) }));
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    say({ id: 'q1', method: 'elicitation/create', params: { message: 'Who are you?', requestedSchema } });
  },
  deep: (id) => {
    const lists = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const params = `{"message":"x","requestedSchema":{"type":"object","properties":{"a":${lists}}}}`;
    process.stdout.write(`{"jsonrpc":"2.0","id":"q2","method":"elicitation/create","params":${params}}\n`);
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"structuredContent":${lists}}}\n`);
  },
  hang: () => {},
  die: () => process.exit(9),
};

const METHODS = {
  initialize: ({ id }) =>
    mood === 'mute' ||
    say({
      id,
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: mood === 'self' ? 'codex-rx' : 'small', version: '1' },
      },
    }),
  'tools/list': ({ id, params }) => say({ id, result: PAGES[params?.cursor ?? 'first'] }),
  'tools/call': ({ id, params }) => TOOLS[params.name](id, params.arguments ?? {}, params._meta?.progressToken),
  'notifications/cancelled': ({ params }) => note(`cancelled ${params.requestId}`),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === undefined) asked.get(message.id)?.(message.result);
  else METHODS[message.method]?.(message);
});
process.stdin.on('end', () => process.exit(0));
