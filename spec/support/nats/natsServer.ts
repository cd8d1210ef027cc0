/** Owns real NATS servers for specs: each on a free loopback port, with a folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { of, retry, throwError } from 'rxjs';
import { isNatsFailure } from '../../../src/io/nats/natsAddress';
import { removeFolder } from '../files';
import { freePort } from '../freePort';
import { SPEC_PATH } from '../needs/machine';
import { demand } from '../needs/needs';

const STEP_MS = 10;
const PATIENCE_MS = 40_000;
/** How long a server that accepted a connection may be silent. */
const ANSWER_MS = 1_000;

/**
 * One of a cluster; `current` waits until it has all that the others have stored: until then a third one that is killed takes the majority away.
 */
export type ClusterServer = NatsServer & { current: () => Promise<void> };

/** `kill` is SIGKILL, `stop` an orderly end; `start` begins again on the same port and folder, `freeze` and `thaw` stop it from answering. */
export type NatsServer = {
  address: string;
  port: number;
  folder: string;
  start: () => Promise<void>;
  kill: () => Promise<void>;
  stop: () => Promise<void>;
  freeze: () => void;
  thaw: () => void;
};

/** `config` is added to its configuration, which has the port, and `jetstream { … }` with its `domain` unless `store` is none. */
export type NatsServerOptions = { config?: string; port?: number; store?: 'files' | 'none'; domain?: string };

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('data', () => end(true)); // the server speaks first
    socket.on('error', () => end(false)).on('close', () => end(false));
    socket.setTimeout(ANSWER_MS, () => end(false));
  });

const untilListening = async (child: ChildProcess, port: number, log: string): Promise<void> => {
  const untilMs = Date.now() + PATIENCE_MS;
  while (Date.now() < untilMs) {
    if (child.exitCode !== null) break;
    if (await isListening(port)) return;
    await new Promise((wake) => setTimeout(wake, STEP_MS));
  }
  throw new Error(`nats-server does not listen on ${port}:\n${readFileSync(log, 'utf8')}`);
};

const launch = async (folder: string): Promise<ChildProcess> => {
  const child = spawn('nats-server', ['-c', path.join(folder, 'server.conf'), '-l', path.join(folder, 'log')], {
    stdio: 'ignore',
    env: { ...process.env, PATH: SPEC_PATH },
  });
  const failed = once(child, 'error').then(([error]) => {
    throw error;
  });
  await Promise.race([once(child, 'spawn'), failed]);
  return child;
};

const end = async (child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> => {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  if (signal !== 'SIGKILL') child.kill('SIGCONT');
  await exit;
};

/** A server, its folder made and its configuration written; not started. */
const prepareNats = async ({
  config = '',
  port: wanted,
  store = 'files',
  domain,
}: NatsServerOptions): Promise<NatsServer> => {
  demand('nats-server');
  const port = wanted ?? (await freePort());
  const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-nats-'));
  mkdirSync(path.join(folder, 'store'));
  const named = domain === undefined ? '' : `, domain: ${domain}`;
  const jetstream = store === 'none' ? '' : `jetstream { store_dir: "${path.join(folder, 'store')}"${named} }`;
  writeFileSync(path.join(folder, 'server.conf'), `listen: "127.0.0.1:${port}"\n${jetstream}\n${config}\n`);
  writeFileSync(path.join(folder, 'log'), '');
  let child: ChildProcess | undefined;
  return {
    address: `nats://127.0.0.1:${port}`,
    port,
    folder,
    start: async () => {
      child = await launch(folder);
      await untilListening(child, port, path.join(folder, 'log'));
    },
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  };
};

const started: NatsServer[] = [];

/** Starts a server; `endNatsServers` in `afterAll` or `afterEach` ends it. */
export const startNats = async (options: NatsServerOptions = {}): Promise<NatsServer> => {
  const server = await prepareNats(options);
  started.push(server);
  await server.start();
  return server;
};

const CURRENT_MS = 60_000;

/** What the server says of its own state: JetStream is there, and each stream and consumer has caught up. */
const untilCurrent = async (monitor: number): Promise<void> => {
  let last = '';
  for (let leftMs = CURRENT_MS; leftMs > 0; leftMs -= 20 * STEP_MS) {
    last = await fetch(`http://127.0.0.1:${monitor}/healthz`).then((one) => one.text(), String);
    if (JSON.parse(last.startsWith('{') ? last : '{}').status === 'ok') return;
    await new Promise((wake) => setTimeout(wake, 20 * STEP_MS));
  }
  throw new Error(`a NATS server does not catch up: ${last}`);
};

/** Starts three servers that form a cluster; `config` counts for each. They elect a leader within some seconds: ask until they answer. */
export const startNatsCluster = async (options: NatsServerOptions = {}): Promise<ClusterServer[]> => {
  const routes = [await freePort(), await freePort(), await freePort()];
  const urls = routes.map((port) => `"nats://127.0.0.1:${port}"`).join(', ');
  const servers = await Promise.all(
    routes.map(async (port, index) => {
      const monitor = await freePort();
      const cluster = `cluster { name: "specs", listen: "127.0.0.1:${port}", routes: [${urls}] }`;
      const names = `server_name: "node-${index}"\nhttp: "127.0.0.1:${monitor}"`;
      const server = await prepareNats({ config: `${names}\n${cluster}\n${options.config ?? ''}` });
      return { ...server, current: () => untilCurrent(monitor) };
    }),
  );
  started.push(...servers);
  await Promise.all(servers.map(({ start }) => start()));
  return servers;
};

/** Connects again if a busy machine has not answered in time; any other error passes. */
export const retryLate = <T>() =>
  retry<T>({ count: 5, delay: (error) => (isNatsFailure(error, 'timeout') ? of(0) : throwError(() => error)) });

/** Kills all servers of this spec file and removes their folders. */
export const endNatsServers = async (): Promise<void> => {
  const servers = started.splice(0);
  await Promise.all(servers.map(({ kill }) => kill()));
  await Promise.all(servers.map(({ folder }) => removeFolder(folder)));
};
