/** Owns one server process and the JSON-RPC lines to and from it. */
import { spawn } from 'node:child_process';
import { nowMs, serverPid } from './processes.mjs';
import { resultId } from './resultId.mjs';

const NEWLINE = 10;

/** Cuts chunks into lines without copying; the pieces of a long line are joined once. */
const lineCutter = (line) => {
  let pieces = [];
  return (chunk) => {
    let at = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, at)) {
      if (pieces.length > 0) {
        const whole = Buffer.concat([...pieces, chunk.subarray(at, end)]);
        pieces = [];
        line(whole, 0, whole.length);
      } else if (end > at) line(chunk, at, end);
      at = end + 1;
    }
    if (at < chunk.length) pieces.push(chunk.subarray(at));
  };
};

const start = ([file, ...args], env) => {
  const child = spawn(file, args, { stdio: 'pipe', detached: true, env });
  child.stdin.on('error', () => {}); // its end emits `ended`
  child.stdout.on('error', () => {});
  let tail = '';
  child.stderr.on('data', (bytes) => {
    tail = (tail + bytes).slice(-2000);
  });
  const why = (word) => [word, tail.trim().split('\n').pop()?.slice(0, 160)].filter(Boolean).join(': ');
  const ended = new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(`did not start: ${message}`));
    child.once('exit', (code, signal) => resolve(why(`ended with ${signal ?? code}`)));
  });
  return { child, ended };
};

/** Ends a server: stdin closed, three seconds of patience, then its whole group is killed. */
const endServer = async ({ child, ended }) => {
  if (child.pid === undefined) return;
  child.stdout.resume();
  child.stdin.end();
  const impatience = setTimeout(() => killGroup(child.pid), 3000);
  await ended;
  clearTimeout(impatience);
  killGroup(child.pid); // children it left behind
};

const killGroup = (pid) => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // nobody is left
  }
};

/**
 * Starts a server. `request` gives the whole answer; `hooks.result(id)` and `hooks.raw(bytes, start, end)` see lines first and
 * take them by answering true; `hooks.message` sees what nobody asked for.
 */
export const connect = (argv, env) => {
  const spawnedAt = nowMs();
  const { child, ended } = start(argv, env);
  const hooks = {};
  const pending = new Map();
  const counts = { bytes: 0, badLines: 0, questions: new Map() };
  let nextId = 1;
  let gone;

  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  const receive = (message) => {
    if (message.method !== undefined && message.id !== undefined) {
      counts.questions.set(message.method, (counts.questions.get(message.method) ?? 0) + 1);
      send({ id: message.id, error: { code: -32601, message: 'this client answers nothing' } });
    } else if (pending.has(message.id)) {
      pending.get(message.id).resolve(message);
      pending.delete(message.id);
    } else hooks.message?.(message);
  };

  const line = (bytes, from, end) => {
    if (hooks.raw?.(bytes, from, end) || hooks.result?.(resultId(bytes, from, end))) return;
    try {
      receive(JSON.parse(bytes.toString('utf8', from, end)));
    } catch {
      counts.badLines += 1;
    }
  };

  const cut = lineCutter(line);
  child.stdout.on('data', (chunk) => {
    counts.bytes += chunk.length;
    cut(chunk);
  });
  ended.then((why) => {
    gone = why;
    for (const { reject } of pending.values()) reject(new Error(why));
    child.stdin.emit('drain');
  });

  const request = (method, params, waitMs = 60_000) =>
    new Promise((resolve, reject) => {
      if (gone) return reject(new Error(gone));
      const id = nextId++;
      const late = setTimeout(() => reject(new Error(`no answer to ${method} in ${waitMs / 1000} s`)), waitMs);
      const settled = (settle) => (value) => {
        clearTimeout(late);
        settle(value);
      };
      pending.set(id, { resolve: settled(resolve), reject: settled(reject) });
      send({ id, method, params });
    });

  /** Writes buffers with back-pressure; stops when the server is gone. */
  const pour = async (buffers) => {
    for (const bytes of buffers) {
      if (gone) return;
      if (!child.stdin.write(bytes)) await new Promise((wake) => child.stdin.once('drain', wake));
    }
  };

  const initialize = async () => {
    const clientInfo = { name: 'bench', version: '0' };
    const answer = await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }, 20_000);
    const startupMs = nowMs() - spawnedAt;
    if (!answer.result) throw new Error(`initialize: ${JSON.stringify(answer).slice(0, 160)}`);
    send({ method: 'notifications/initialized' });
    return { startupMs, pid: serverPid(child.pid) };
  };

  const kill = () => child.pid !== undefined && killGroup(child.pid);
  const close = () => endServer({ child, ended });
  const lastId = () => nextId - 1;
  return { child, ended, hooks, counts, send, request, pour, initialize, kill, close, lastId };
};
