/** Owns a real exec-server that listens, and a TCP proxy to it whose connections can be cut. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { commandLine } from '../daemon/peer';

const started: ChildProcess[] = [];

/** Starts an exec-server on a free port of this machine; `url` is what it printed. */
export const listenExecServer = (...args: string[]) => listenExecServerWith({}, ...args);

/** The same, with variables of its own. */
export const listenExecServerWith = async (
  env: Record<string, string>,
  ...args: string[]
): Promise<{ child: ChildProcess; url: string }> => {
  const [program, argv] = commandLine('exec-server', '--listen', 'ws://127.0.0.1:0', ...args);
  const child = spawn(program, argv, { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, ...env } });
  started.push(child);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (line: Buffer) => resolve(line.toString().trim()));
    child.once('exit', (code) => reject(new Error(`the exec-server ended with ${code}`)));
  });
  return { child, url };
};

/** Kills all that were started, and waits for their end. */
export const endExecServers = async (): Promise<void> => {
  const children = started.splice(0).filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  const exits = children.map((child) => once(child, 'exit'));
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(exits);
};

/**
 * A TCP proxy to `target`; `cut` breaks every connection that it has now, `block` those that come later too; `visits` counts them,
 * `onAnswer` is called at the first bytes that come back.
 */
export const openRoad = async (target: string) => {
  const pairs = new Set<Socket>();
  const road = { isBlocked: false, visits: 0, onAnswer: () => {} };
  const { hostname, port } = new URL(target);
  const server: Server = createServer((near) => {
    if (road.isBlocked) return void near.resetAndDestroy();
    road.visits += 1;
    const far = connect(Number(port), hostname).once('data', () => road.onAnswer());
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      pairs.add(from);
      from.unref(); // a spec that fails ends all the same
      from.setNoDelay();
      from
        .on('error', () => {})
        .on('close', () => {
          pairs.delete(from);
          to.destroy();
        });
      from.pipe(to);
    }
  });
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of pairs) socket.resetAndDestroy();
  };
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    visits: () => road.visits,
    onAnswer: (act: () => void) => {
      road.onAnswer = act;
    },
    block: () => {
      road.isBlocked = true;
      cut();
    },
    unblock: () => {
      road.isBlocked = false;
    },
    close: () => {
      server.close();
      for (const socket of pairs) socket.destroy();
    },
  };
};
