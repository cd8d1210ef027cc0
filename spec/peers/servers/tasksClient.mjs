// The official v2 client with the official package for tasks. Does what its plan says and prints what it saw, as JSON.
// Run: node tasksClient.mjs FOLDER PLAN COMMAND…, where the packages are installed; PLAN is JSON: [{ prompt, policy, do }], `do` one of
// settle, cancel, leave; or { resume: REFERENCE }.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, plan, command, ...args] = process.argv.slice(2);
const require = createRequire(join(folder, 'x.js'));
const load = (name) => import(pathToFileURL(join(folder, 'node_modules/@modelcontextprotocol', name)).href);
const { Client } = require('@modelcontextprotocol/client');
const { StdioClientTransport } = require('@modelcontextprotocol/client/stdio');
const { createTaskSessionFromClient } = await load('ext-tasks/dist/client/index.js');

const clientInfo = { name: 'peer', version: '0' };
const capabilities = { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } };

const transport = new StdioClientTransport({ command, args, env: process.env, stderr: 'ignore' });
const client = new Client(clientInfo, { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } });
await client.connect(transport);

/** The client itself refuses results of tasks, so the package sends these requests next to it. */
const waiting = new Map();
const toClient = transport.onmessage;
transport.onmessage = (message, extra) => {
  const settle = waiting.get(message.id);
  if (settle === undefined) return toClient(message, extra);
  waiting.delete(message.id);
  settle('error' in message ? { kind: 'error', error: message.error } : { kind: 'result', result: message.result });
};
let requests = 0;
const rawDispatch = (request) =>
  new Promise((settle, fail) => {
    const id = `task-${++requests}`;
    waiting.set(id, settle);
    transport.send({ jsonrpc: '2.0', id, ...request }).catch(fail);
  });

const asked = [];
const session = createTaskSessionFromClient(client, {
  endpointId: 'peer',
  rawDispatch,
  v2RequestFraming: { protocolVersion: '2026-07-28', clientInfo, clientCapabilities: capabilities },
  onInputRequest: async ({ params }) => {
    asked.push(params.message);
    return { action: 'accept', content: { decision: 'approved' } };
  },
});

const settle = async (execution) => {
  const states = [];
  const onEvent = ({ type, task }) => void (type === 'task' && states.push(task.status));
  const { outcome } = await execution.settle({ onEvent });
  const { status, result, error } = outcome;
  return {
    kind: execution.kind,
    status,
    states: states.filter((state, at) => state !== states[at - 1]),
    ...(result && { text: result.content[0].text, isError: result.isError === true }),
    ...(error && { error: { code: error.code, message: error.message } }),
  };
};

const DO = {
  settle,
  cancel: async (execution) => {
    await execution.cancel();
    return settle(execution);
  },
  leave: async (execution) => {
    let reference;
    await execution.handoff((given) => {
      reference = given;
    });
    return { reference };
  },
};

const play = async ({ resume, prompt, policy = 'never', do: act = 'settle' }) => {
  if (resume !== undefined) return settle(await session.resumeTask(resume));
  const given = { prompt, 'approval-policy': policy, sandbox: 'danger-full-access', cwd: process.cwd() };
  return DO[act](await session.callTool('codex', given));
};

const results = [];
for (const step of JSON.parse(plan)) results.push(await play(step));
process.stdout.write(JSON.stringify({ results, asked }));
await session.close();
await client.close();
