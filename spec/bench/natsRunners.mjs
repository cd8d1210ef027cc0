/** Owns a server of NATS with executors for the bench. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nowMs } from './processes.mjs';
import { loadExecutor, overBackend } from './runners.mjs';

const freePort = () =>
  new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });

const untilListening = async (port) => {
  for (let tries = 0; tries < 200; tries += 1) {
    const there = await new Promise((done) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('data', () => done(socket.destroy() && true)).once('error', () => done(false));
    });
    if (there) return;
    await new Promise((wake) => setTimeout(wake, 25));
  }
  throw new Error('nats-server does not listen; install it: apt install nats-server');
};

/** A server with a folder of its own, until `end`. */
export const openNats = async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-bench-nats-'));
  const port = await freePort();
  const children = [];
  const start = (program, args, stdout) => {
    const child = spawn(program, args, { stdio: ['ignore', stdout, 'ignore'] });
    child.on('error', () => {}); // it does not listen then
    children.push(child);
    return child;
  };
  start('nats-server', ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder], 'ignore');
  await untilListening(port);
  const address = `nats://127.0.0.1:${port}`;
  const startExecutor = ([program, ...args], name) => {
    const own = ['exec-server', '--listen', address, '--name', name, '--pool', 'bench'];
    const child = start(program, [...args, ...own], 'pipe');
    return new Promise((up) => child.stdout.once('data', up));
  };
  const end = () => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  return { address, startExecutor, end };
};

/** The client as it is built into the daemon, loaded once: a daemon is warm too. `run` gets what makes a client of one executor. */
export const withNatsRunners = async (run) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-bench-'));
  const rx = await loadExecutor(folder);
  try {
    await run((address, executor) => overBackend(rx.natsBackend(depsOf(rx, address, executor))));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const depsOf = (rx, address, executor) => ({
  link$: rx.connectNats({ address, settings: rx.NATS_DEFAULTS, log: () => {} }),
  executor,
  newId: randomUUID,
  clientName: 'bench',
  backpressure: rx.noBackpressure,
  log: () => {},
  clockMs: nowMs,
});
