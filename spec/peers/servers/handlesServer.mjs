// A stdio server of both eras by the official SDK, whose handles differ from run to run.
// Run: node handlesServer.mjs FOLDER [CHANGED], where the SDK is installed; CHANGED is the value that is another one.
import { randomBytes, randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.argv[2], 'x.js'));
const { McpServer, inputRequired, fromJsonSchema } = require('@modelcontextprotocol/server');
const { serveStdio } = require('@modelcontextprotocol/server/stdio');

const changed = (name, value, other) => (process.argv[3] === name ? other : value);

const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZabcdefghijkmnopqrstuvwxyz';
const of = (alphabet, count) => Array.from(randomBytes(count), (byte) => alphabet[byte % alphabet.length]).join('');

/** The member that a handle of each form is in, and how it is made. */
const FORMS = {
  hex: ['value', () => randomBytes(8).toString('hex')],
  ulid: ['item', () => `01${of('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)}`],
  letters: ['session', () => `sess_${of(LETTERS, 14)}aBcD`],
  number: ['handle', () => randomInt(1_000, 99_999)],
  descriptor: ['fd', () => randomInt(3, 10)],
};

const object = (properties) => fromJsonSchema({ type: 'object', properties });
const text = (line, structuredContent) => ({
  content: [{ type: 'text', text: line }],
  ...(structuredContent && { structuredContent }),
});

const addHandles = (server) => {
  const open = new Map();
  server.registerTool('open', { inputSchema: object({ form: { type: 'string' } }) }, async ({ form }) => {
    const [member, make] = FORMS[form];
    const handle = make();
    open.set(String(handle), form);
    return text(form === 'descriptor' ? 'Opened.' : `Opened ${handle}.`, { [member]: handle });
  });
  server.registerTool('use', { inputSchema: object({ of: {}, fd: {} }) }, async ({ of: handle, fd }) => {
    const form = open.get(String(handle ?? fd));
    return form === undefined
      ? { ...text('No such handle'), isError: true }
      : text(`${handle ?? 'It'} is ${changed(form, form, 'another')}`);
  });
};

/** Asks twice: each question comes with a request state that only the next retry may send. */
const addQuestions = (server) =>
  server.registerTool('greet', {}, async ({ mcpReq }) => {
    const state = mcpReq.requestState();
    const ask = (name, message) => {
      const requestedSchema = { type: 'object', properties: { [name]: { type: 'string' } } };
      const inputRequests = { [name]: inputRequired.elicit({ message, requestedSchema }) };
      return inputRequired({ inputRequests, requestState: `${name}.${randomBytes(12).toString('base64url')}` });
    };
    if (state === undefined) return ask('name', 'Name?');
    if (state.startsWith('name.')) return ask('town', changed('question', 'Town?', 'City?'));
    return text(`Hello, ${mcpReq.inputResponses?.town?.content?.town}`);
  });

const addSubscription = (server) => {
  const content = async () => ({ contents: [{ uri: 'book://v1', text: changed('book', 'once', 'twice') }] });
  server.registerResource('book', changed('uri', 'book://v1', 'book://v2'), {}, content);
  server.registerTool(changed('name', 'echo2024', 'echo2025'), {}, async () => text('echo'));
  server.registerTool('touch', {}, async () => {
    await server.server.sendResourceUpdated({ uri: 'book://v1' });
    server.sendToolListChanged();
    return text('touched');
  });
};

/** Pages of resources, with cursors that mean nothing. */
const addPages = (server) => {
  const pages = new Map();
  server.server.setRequestHandler('resources/list', async ({ params }) => {
    const page = params?.cursor === undefined ? 0 : pages.get(params.cursor);
    if (page === undefined) throw new Error('There is no such cursor');
    const resources = [{ uri: changed('uri', `book://v1/${page}`, `book://v2/${page}`), name: `Page ${page}` }];
    if (page === 2) return { resources };
    const nextCursor = randomBytes(9).toString('base64');
    pages.set(nextCursor, page + 1);
    return { resources, nextCursor };
  });
};

const addTasks = (server) => {
  const tasks = new Map();
  const any = fromJsonSchema({ type: 'object' });
  server.registerTool('start', {}, async () => {
    const taskId = randomBytes(10).toString('hex');
    tasks.set(taskId, 0);
    return text(`Task ${taskId}`, { taskId, status: 'working' });
  });
  server.server.setRequestHandler('tasks/get', { params: any, result: any }, async ({ taskId }) => {
    const polls = tasks.get(taskId);
    if (polls === undefined) throw new Error('There is no such task');
    tasks.set(taskId, polls + 1);
    const lastUpdatedAt = new Date().toISOString();
    if (polls === 0) return { taskId, status: 'working', lastUpdatedAt };
    return { taskId, status: 'completed', lastUpdatedAt, result: text(changed('task', 'done', 'failed')) };
  });
};

serveStdio(() => {
  const capabilities = { tools: { listChanged: true }, resources: { subscribe: true } };
  const server = new McpServer({ name: 'handles', version: '1' }, { capabilities });
  for (const add of [addHandles, addQuestions, addSubscription, addPages, addTasks]) add(server);
  return server;
});
