/** Owns ways to run a process and receive its output: bare spawn, the local backend, an exec-server on stdio or over a WebSocket. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PATH = '/usr/local/bin:/usr/bin:/bin';
const CWD = '/';

/** Every runner: `run(argv, receive)` resolves, once the process runs, to { write, over }; `end` lets go of all. */
export const bareSpawn = () => ({
  run: async ([program, ...args], receive) => {
    const child = spawn(program, args, { cwd: CWD, env: { PATH }, stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdout.on('data', receive);
    return { write: (bytes) => child.stdin.write(bytes), over: new Promise((done) => child.once('close', done)) };
  },
  end: () => {},
});

/** The executor as it is built into the daemon. */
export const loadExecutor = async (folder) => {
  const outfile = path.join(folder, 'executor.cjs');
  const files = [
    'executor/local/localBackend',
    'fleet/backend/executorsInFleet',
    'io/processes/watchGroups',
    'fleet/link/connectNats',
    'settings/readNats',
    'streams/backpressure',
  ];
  const contents = files.map((room) => `export * from './src/${room}';`).join('\n');
  await require('esbuild').build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    platform: 'node',
    outfile,
    external: ['ws'],
    alias: { rxjs: path.join(ROOT, 'node_modules/rxjs/dist/esm/index.js') },
    logLevel: 'error',
  });
  return require(outfile);
};

/** Processes of a backend. */
export const overBackend = (backend) => {
  const running = [];
  const run = (argv, receive) =>
    new Promise((started, failed) => {
      let end;
      const over = new Promise((done) => {
        end = done;
      });
      const hearAll = (event) => {
        if (event.kind === 'output') receive(event.chunk);
        else if (event.kind === 'failed') failed(new Error(event.reason));
        else if (event.kind === 'started')
          started({ over, write: (bytes) => event.process.write(Buffer.from(bytes)).subscribe() });
      };
      const spec = { argv, cwd: CWD, env: { PATH }, stdin: 'pipe' };
      running.push(backend.start(spec).subscribe({ next: hearAll, complete: () => end() }));
    });
  const end = () => {
    for (const one of running) one.unsubscribe();
  };
  return { run, end };
};

export const localRunner = async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-bench-'));
  const { localBackend, watchGroups, noBackpressure } = await loadExecutor(folder);
  const { run, end } = overBackend(
    localBackend({
      spawn,
      backpressure: noBackpressure,
      signals: constants.signals,
      watch: watchGroups({ spawn }),
    }),
  );
  return {
    run,
    end: () => {
      end();
      rmSync(folder, { recursive: true });
    },
  };
};

/** Messages of an exec-server over a link { say, onMessage, close }. */
const overLink = async ({ say, listen, close }) => {
  const answers = new Map();
  const processes = new Map();
  let last = 0;
  listen(({ id, result, error, method, params }) => {
    if (method === 'process/output')
      return processes.get(params.processId)?.receive(Buffer.from(params.chunk, 'base64'));
    if (method === 'process/closed') return processes.get(params.processId)?.end();
    const answer = answers.get(id);
    answers.delete(id);
    if (error) answer?.failed(new Error(error.message));
    else answer?.done(result);
  });
  const ask = (method, params) =>
    new Promise((done, failed) => {
      last += 1;
      answers.set(last, { done, failed });
      say({ id: last, method, params });
    });
  await ask('initialize', { clientName: 'bench' });
  say({ method: 'initialized' });
  const run = async (argv, receive) => {
    last += 1;
    const processId = `p${last}`;
    let end;
    const over = new Promise((done) => {
      end = done;
    });
    processes.set(processId, { receive, end });
    await ask('process/start', { processId, argv, cwd: `file://${CWD}`, env: { PATH }, tty: false, pipeStdin: true });
    let writes = 0;
    const write = (bytes) => {
      writes += 1;
      ask('process/write', { processId, chunk: Buffer.from(bytes).toString('base64'), writeId: String(writes) });
    };
    return { write, over };
  };
  return { run, end: close };
};

/** An exec-server that does not outlive the bench. */
const start = ([program, ...args], listen, stdin) => {
  const child = spawn(program, [...args, 'exec-server', '--listen', listen], { stdio: [stdin, 'pipe', 'ignore'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
};

/** @param argv the program that has the command exec-server */
export const stdioRunner = (argv) => {
  const child = start(argv, 'stdio', 'pipe');
  const listen = (receive) => {
    const parts = [];
    child.stdout.on('data', (chunk) => {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        parts.push(chunk.subarray(from, at));
        receive(JSON.parse(Buffer.concat(parts.splice(0))));
        from = at + 1;
      }
      if (from < chunk.length) parts.push(chunk.subarray(from));
    });
  };
  const say = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);
  return overLink({ say, listen, close: () => child.kill('SIGKILL') });
};

export const socketRunner = async (argv) => {
  const child = start(argv, 'ws://127.0.0.1:0', 'ignore');
  const url = await new Promise((found) => child.stdout.once('data', (line) => found(String(line).trim())));
  const socket = new (require('ws'))(url, { perMessageDeflate: false, maxPayload: 2 ** 30 });
  await new Promise((open, failed) => socket.once('open', open).once('error', failed));
  socket.on('error', () => {}); // its server is killed at the end
  const listen = (receive) => socket.on('message', (data) => receive(JSON.parse(data)));
  return overLink({
    say: (message) => socket.send(JSON.stringify(message)),
    listen,
    close: () => child.kill('SIGKILL'),
  });
};
