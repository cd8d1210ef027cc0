// The tools that the official scenarios of tasks call, over HTTP as they do: each call is a call of the tool codex of a server that is started here.
// Run: node scenarioServer.mjs FOLDER COMMAND [ARGUMENTS]
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const [folder, command, ...args] = process.argv.slice(2);
const TASKS = 'io.modelcontextprotocol/tasks';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

const codex = (prompt, more = {}) => ({
  name: 'codex',
  arguments: { prompt, cwd: folder, sandbox: 'danger-full-access', 'approval-policy': 'never', ...more },
});
const ASKS = { 'approval-policy': 'untrusted' };

/** What each tool is for the agent. */
const TOOLS = {
  greet: ({ name }) => codex(`Hello, ${name}!`),
  slow_compute: ({ seconds }) => codex(`sleep ${seconds}`),
  failing_job: () => codex('fail'),
  protocol_error_job: () => codex('fail by the protocol'),
  confirm_delete: () => codex('ask once', ASKS),
  multi_input: () => codex('ask twice', ASKS),
  test_tool_with_task: (_, { name }) => codex(`greet slowly: ${name}`),
};

const declares = ({ _meta }) => _meta?.[CAPABILITIES]?.extensions?.[TASKS] !== undefined;

/** A tool that is never a task is called as by a client without the extension. */
const withoutTasks = ({ _meta, ...params }) => ({
  ...params,
  _meta: { ..._meta, [CAPABILITIES]: { ..._meta[CAPABILITIES], extensions: {} } },
});

const QUESTION = {
  method: 'elicitation/create',
  params: {
    message: 'Your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  },
};

const toCall = (message) => {
  const { name, arguments: given, inputResponses, ...params } = message.params;
  const { requestState: _, task: __, ...rest } = params;
  const tool = TOOLS[name];
  if (tool === undefined) return message;
  // A tool that cannot do without tasks demands the extension as the methods of tasks do.
  if (name === 'failing_job' && !declares(params)) return { ...message, method: 'tasks/get', params: rest };
  if (name === 'test_tool_with_task' && inputResponses === undefined) {
    const result = { resultType: 'input_required', inputRequests: { user_name: QUESTION }, requestState: 'asked' };
    return { ...message, result };
  }
  const call = { ...rest, ...tool(given, inputResponses?.user_name?.content ?? {}) };
  return { ...message, params: name === 'greet' ? withoutTasks(call) : call };
};

/** The scenarios answer with `confirm`; a question about a command takes a decision. */
const toUpdate = (message) => {
  const answers = Object.entries(message.params.inputResponses).map(([key, answer]) => [
    key,
    answer?.content?.confirm === true ? { ...answer, content: { decision: 'approved' } } : answer,
  ]);
  return { ...message, params: { ...message.params, inputResponses: Object.fromEntries(answers) } };
};

const METHODS = { 'tools/call': toCall, 'tasks/update': toUpdate };

const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map(); // the requests that have no response, by the ids that the server knows them by
let requests = 0;

const ask = (message) =>
  new Promise((answer) => {
    waiting.set(++requests, ({ id: _, ...response }) => answer({ ...response, id: message.id }));
    server.stdin.write(`${JSON.stringify({ ...message, id: requests })}\n`);
  });

createInterface({ input: server.stdout }).on('line', (line) => {
  const message = JSON.parse(line);
  waiting.get(message.id)?.(message);
  waiting.delete(message.id);
});

const http = createServer(async (request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end();
  const message = JSON.parse(await text(request));
  if (message.id === undefined) return response.writeHead(202).end();
  const { result, ...forwarded } = METHODS[message.method]?.(message) ?? message;
  const answer = result ? { jsonrpc: '2.0', id: message.id, result } : await ask(forwarded);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
});
http.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${http.address().port}/mcp\n`));
server.on('exit', (code) => process.exit(code ?? 1));
process.on('SIGTERM', () => server.stdin.end());
