/** Finds ports that no one else takes before the caller does. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Ports drawn in this process already, where their caller may not listen yet. Two of the nine ports of a cluster were the same in one of 500 draws. */
const drawn = new Set<number>();

/** Below those that a system gives to connections and to listeners at port 0. Source: net.ipv4.ip_local_port_range begins at 32,768. */
const [FIRST, LAST] = [15_000, 32_767];

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await Promise.race([
    once(server, 'listening').then(() => true),
    new Promise<false>((resolve) => server.once('error', () => resolve(false))),
  ]).catch(() => false);
  if (!isListening) return false;
  server.close();
  await once(server, 'close');
  return true;
};

/** Each worker of Jest draws from ports of its own, so that those which draw at once do not meet. */
const WORKERS = 16;
const worker = Number(process.env.JEST_WORKER_ID ?? 0) % WORKERS;

/** A port of this machine where nobody listens, another one each time. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = FIRST + WORKERS * randomInt(Math.floor((LAST - FIRST) / WORKERS)) + worker;
    if (drawn.has(port)) continue;
    drawn.add(port);
    if (await isFree(port)) return port;
  }
};
