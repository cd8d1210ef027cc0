/**
 * The floor: the least a Node process does as a stdio server with a `codex` tool. A limit, not an implementation.
 * One model request a turn over node:http, a notification a text delta, a shell command when the model asks for one.
 * All answers to one input chunk leave in one write; input waits while output is full.
 * TOOLS names a file with the tool list to show: that of the server under test, so that both send the same bytes.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const tools = process.env.TOOLS
  ? JSON.parse(readFileSync(process.env.TOOLS, 'utf8'))
  : ['codex', 'codex-reply'].map((name) => ({
      name,
      inputSchema: { type: 'object', properties: { prompt: { type: 'string' }, threadId: { type: 'string' } } },
    }));

/** Cuts text into lines: the pieces of a long line are joined once, a chunk is sliced and never copied. */
const cutLines = (line) => {
  let pieces = [];
  return (chunk) => {
    if (!chunk.includes('\n')) return void pieces.push(chunk);
    const text = pieces.length === 0 ? chunk : [...pieces, chunk].join('');
    let at = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
      if (end > at) line(text.slice(at, end));
      at = end + 1;
    }
    pieces = at < text.length ? [text.slice(at)] : [];
  };
};

let waiting = '';
const flush = () => {
  const text = waiting;
  waiting = '';
  if (text === '' || process.stdout.write(text)) return;
  process.stdin.pause();
  process.stdout.once('drain', () => process.stdin.resume());
};
const sayLine = (line) => {
  if (waiting === '') setImmediate(flush);
  waiting += `${line}\n`;
  if (waiting.length > 65_536) flush();
};
const say = (message) => sayLine(JSON.stringify(message));

const agent = new http.Agent({ keepAlive: true });
const modelUrl = () => {
  const config = readFileSync(path.join(process.env.CODEX_HOME, 'config.toml'), 'utf8');
  return `${/base_url = "([^"]+)"/.exec(config)[1]}/responses`;
};

const post = (body) =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    http.request(modelUrl(), { method: 'POST', agent, headers }, resolve).on('error', reject).end(body);
  });

const askModel = async (input, receive) => {
  const response = await post(JSON.stringify({ model: 'mock', stream: true, input, tools: [{ name: 'shell' }] }));
  const cut = cutLines((line) => line.startsWith('data: ') && receive(JSON.parse(line.slice(6))));
  await new Promise((resolve, reject) => {
    response.setEncoding('utf8').on('data', cut).once('end', resolve).once('error', reject);
  });
};

const run = ([file, ...args], notify) =>
  new Promise((resolve) => {
    let kept = '';
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', (bytes) => {
      notify({ type: 'exec_command_output_delta', call_id: 'c', stream: 'stdout', chunk: bytes.toString('base64') });
      if (kept.length < 10_000) kept += bytes.toString('latin1', 0, 10_000);
    });
    child.once('close', (code) => {
      notify({ type: 'exec_command_end', call_id: 'c', exit_code: code });
      resolve(kept);
    });
  });

const threads = new Map();

const callTool = async (id, { arguments: { prompt, threadId = randomUUID() } }) => {
  const head = `{"jsonrpc":"2.0","method":"codex/event","params":{"_meta":{"requestId":${id}},"id":"${id}","msg":`;
  const notify = (msg) => sayLine(`${head}${JSON.stringify(msg)}}}`);
  const history = threads.get(threadId) ?? [];
  threads.set(threadId, history);
  history.push({ role: 'user', content: prompt });
  for (;;) {
    let item;
    await askModel(history, (event) => {
      if (event.type === 'response.output_text.delta') notify({ type: 'agent_message_delta', delta: event.delta });
      if (event.type === 'response.output_item.done') item = event.item;
    });
    history.push(item);
    if (item.type === 'message') {
      const { text } = item.content[0];
      notify({ type: 'task_complete', last_agent_message: text });
      return { content: [{ type: 'text', text }], structuredContent: { threadId, content: text } };
    }
    history.push({ type: 'function_call_output', output: await run(JSON.parse(item.arguments).command, notify) });
  }
};

const methods = {
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'floor', version: '0' },
  }),
};

const answer = ({ id, method, params }) => {
  if (id === undefined) return;
  if (methods[method]) say({ jsonrpc: '2.0', id, result: methods[method]() });
  else if (method !== 'tools/call') say({ jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown' } });
  else {
    callTool(id, params).then(
      (result) => say({ jsonrpc: '2.0', id, result }),
      ({ message }) => say({ jsonrpc: '2.0', id, error: { code: -32603, message } }),
    );
  }
};

const cut = cutLines((line) => answer(JSON.parse(line)));
process.stdin
  .setEncoding('utf8')
  .on('data', (chunk) => {
    cut(chunk);
    flush();
  })
  .on('end', () => process.exit(0));
