/** Owns a server of NATS with executors for the bench, and what that server does by itself. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nowMs } from './processes.mjs';
import { loadExecutor, overBackend } from './runners.mjs';

const require = createRequire(import.meta.url);

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

/** Our client of one executor, as the daemon has it. */
export const natsRunner = async (address, executor) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-bench-'));
  const rx = await loadExecutor(folder);
  const backend = rx.natsBackend({
    ...{ link$: rx.connectNats({ address, settings: rx.NATS_DEFAULTS, log: () => {} }), executor, newId: randomUUID },
    ...{ clientName: 'bench', backpressure: rx.noBackpressure, log: () => {}, clockMs: nowMs },
  });
  const { run, end } = overBackend(backend);
  return {
    run,
    end: () => {
      end();
      rmSync(folder, { recursive: true });
    },
  };
};

const WINDOW = 64;

/** What the server does without us: acknowledged publishes of `bytes` each, /s; the times of requests that are answered by another connection, ms. */
export const bareNats = async (address) => {
  const { connect: open } = require('@nats-io/transport-node');
  const { jetstream, jetstreamManager } = require('@nats-io/jetstream');
  const [one, other] = [await open({ servers: address }), await open({ servers: address })];
  const manager = await jetstreamManager(one);
  await manager.streams.add({ name: 'bench', subjects: ['bench.>'], max_bytes: 2 ** 30 });
  const stream = jetstream(one);
  const publishes = async (bytes, count) => {
    const data = new Uint8Array(bytes);
    const startedAt = nowMs();
    for (let i = 0; i < count; i += WINDOW) {
      await Promise.all(Array.from({ length: Math.min(WINDOW, count - i) }, () => stream.publish('bench.x', data)));
    }
    const perSecond = (count / (nowMs() - startedAt)) * 1000;
    await manager.streams.purge('bench');
    return perSecond;
  };
  const requests = async (count) => {
    other.subscribe('ask', { callback: (_, message) => message.respond() });
    await other.flush();
    const times = [];
    for (let i = 0; i < count; i += 1) {
      const startedAt = nowMs();
      await one.request('ask');
      times.push(nowMs() - startedAt);
    }
    return times.slice(20);
  };
  return { publishes, requests, end: () => Promise.all([one.close(), other.close()]) };
};
