/** Owns a server of NATS with executors for the bench. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { asking, LINKS } from './natsLinks.mjs';
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
  /** The floor by packages or by sockets, as a runner. */
  const startFloor = async (kind) => {
    const child = start(process.execPath, [FLOOR, address, kind], 'pipe');
    await new Promise((up) => child.stdout.once('data', up));
    return floorRunner(await LINKS[kind](address), child);
  };
  const end = () => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  return { address, startExecutor, startFloor, end };
};

const FLOOR = fileURLToPath(new URL('./natsFloor.mjs', import.meta.url));

/** One program at a time. */
const floorRunner = (link, child) => {
  let receive;
  link.subscribe('bench.floor', (data) => receive(data));
  const ask = asking(link, `floor.${randomUUID()}`);
  const run = async (argv, onOutput) => {
    receive = onOutput;
    await ask('floor.start', Buffer.from(JSON.stringify(argv)));
    return { write: (bytes) => void ask('floor.write', Buffer.from(bytes)) };
  };
  const end = () => {
    link.close();
    child.kill('SIGKILL');
  };
  return { run, end };
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
