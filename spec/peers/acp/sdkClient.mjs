// A client of the official SDK of ACP, which does what its parts are told and prints what it saw, as JSON.
// Run: node sdkClient.mjs FOLDER PLAN COMMAND…, where the SDK is installed; PLAN is JSON: { cwd, terminal, resume, choices, steps }.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const [folder, plan, command, ...args] = process.argv.slice(2);
const { cwd, terminal = false, resume, choices = [], steps } = JSON.parse(plan);
const require = createRequire(join(folder, 'x.js'));
const { client, ndJsonStream } = await import(pathToFileURL(require.resolve('@agentclientprotocol/sdk')).href);

const agent = spawn(command, args, { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
const seen = [];
let onUpdate = () => {};
const app = client({ name: 'peer' })
  .onRequest('session/request_permission', ({ params: { toolCall, options } }) => {
    const kind = choices.shift();
    seen.push({ asked: toolCall.title });
    const optionId = options.find((option) => option.kind === kind)?.optionId;
    return { outcome: optionId ? { outcome: 'selected', optionId } : { outcome: 'cancelled' } };
  })
  .onNotification('session/update', ({ params: { update } }) => {
    seen.push(update);
    onUpdate(update);
  });

const terminals = new Map();
const told = (method, answer) =>
  app.onRequest(`terminal/${method}`, ({ params }) => {
    seen.push({ terminal: method });
    return answer(params);
  });
told('create', ({ command: program, args: given, env, cwd: folder, outputByteLimit }) => {
  const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const child = spawn(program, given, { cwd: folder, env: { ...process.env, ...variables }, detached: true });
  const made = { child, output: '', limit: outputByteLimit };
  made.ended = new Promise((done) => child.on('close', (exitCode, signal) => done({ exitCode, signal })));
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      made.output += text;
    });
  terminals.set(`t${terminals.size}`, made);
  return { terminalId: `t${terminals.size - 1}` };
});
told('wait_for_exit', ({ terminalId }) => terminals.get(terminalId).ended);
told('output', ({ terminalId }) => {
  const { output, limit } = terminals.get(terminalId);
  return { output: output.slice(-limit), truncated: output.length > limit };
});
for (const method of ['kill', 'release'])
  told(method, ({ terminalId }) => {
    const { pid, exitCode, signalCode } = terminals.get(terminalId).child;
    if (exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
    return {};
  });

await app.connectWith(ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout)), async (peer) => {
  const { protocolVersion } = await peer.request('initialize', {
    protocolVersion: 1,
    clientCapabilities: { terminal },
    clientInfo: { name: 'spec', version: '1' }, // a client without a name gets plain words only
  });
  const opened = resume
    ? await peer.request(`session/${resume.how}`, { sessionId: resume.id, cwd, mcpServers: [] })
    : await peer.request('session/new', { cwd, mcpServers: [] });
  const sessionId = resume?.id ?? opened.sessionId;
  const past = seen.splice(0);
  const turns = [];
  for (const { text, cancelAt } of steps) {
    onUpdate = ({ sessionUpdate, status }) => {
      if (cancelAt !== undefined && (status ?? sessionUpdate) === cancelAt)
        void peer.notify('session/cancel', { sessionId });
    };
    const { stopReason } = await peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    turns.push({ stopReason, seen: seen.splice(0) });
  }
  const { sessions } = await peer.request('session/list', { cwd });
  const titles = sessions.map(({ title }) => title);
  console.log(JSON.stringify({ protocolVersion, sessionId, past, turns, titles, after: seen }));
});
agent.stdin.end();
