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

/** The arguments of one of `count` servers, alone or in a cluster. */
const argsOf = (folder, { port, route }, servers) => {
  const own = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', path.join(folder, String(port))];
  const routes = servers.map((one) => `nats://127.0.0.1:${one.route}`).join(',');
  const cluster = ['--server_name', `n${port}`, '--cluster_name', 'bench', '--cluster', `nats://127.0.0.1:${route}`];
  return servers.length === 1 ? own : [...own, ...cluster, '--routes', routes];
};

/** A server with a folder of its own, or a cluster of `count`, until `end`. */
export const openNats = async (count = 1) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-bench-nats-'));
  const servers = [];
  for (let i = 0; i < count; i += 1) servers.push({ port: await freePort(), route: await freePort() });
  const children = [];
  const start = (program, args, stdout) => {
    const child = spawn(program, args, { stdio: ['ignore', stdout, 'ignore'] });
    child.on('error', () => {}); // it does not listen then
    children.push(child);
    return child;
  };
  for (const server of servers) start('nats-server', argsOf(folder, server, servers), 'ignore');
  for (const { port } of servers) await untilListening(port);
  const address = `nats://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  const startExecutor = ([program, ...args], name) => {
    const own = ['exec-server', '--listen', address, '--name', name, '--pool', 'bench'];
    const child = start(program, [...args, ...own, '--stream-replicas', String(count)], 'pipe');
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
  rx.collectRarely();
  try {
    await run((address, executor) => overBackend(rx.natsBackend(depsOf(rx, address, executor))));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const depsOf = (rx, address, executor) => ({
  ...{ link$: rx.connectNats({ address, settings: rx.NATS_DEFAULTS, log: () => {} }), executor, newId: randomUUID },
  ...{ clientName: 'bench', backpressure: rx.noBackpressure, log: () => {}, clockMs: nowMs },
});

const WINDOW = 64;

/** A cluster takes some seconds until it has a leader. */
const untilMade = async (manager, config) => {
  for (let tries = 0; tries < 60; tries += 1) {
    const made = await manager.streams.add(config).catch(() => undefined);
    if (made !== undefined) return;
    await new Promise((wake) => setTimeout(wake, 500));
  }
  throw new Error('the servers of NATS make no stream');
};

/** Servers of a cluster learn of each other's subscriptions some time later; until then a request at one of them has no responder. */
const untilServed = async (connection, subject) => {
  for (let tries = 0; tries < 200; tries += 1) {
    const served = await connection.request(subject).then(
      () => true,
      () => false,
    );
    if (served) return;
    await new Promise((wake) => setTimeout(wake, 25));
  }
  throw new Error(`the servers of NATS bring no request to ${subject}`);
};

/** What the servers do without us: acknowledged publishes of `bytes` each, /s; the times of requests that are answered by another connection, ms. */
export const bareNats = async (address, replicas = 1) => {
  const { connect: open } = require('@nats-io/transport-node');
  const { jetstream, jetstreamManager } = require('@nats-io/jetstream');
  const servers = address.slice('nats://'.length).split(',');
  const [one, other] = [await open({ servers }), await open({ servers })];
  const manager = await jetstreamManager(one, { checkAPI: false });
  await untilMade(manager, { name: 'bench', subjects: ['bench.>'], max_bytes: 2 ** 30, num_replicas: replicas });
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
    await untilServed(one, 'ask');
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
