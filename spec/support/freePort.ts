/** Finds ports that nobody else takes before the one who asked does. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

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

/** A port of this machine where nobody listens; drawn by chance, so that specs which run at once do not meet. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    if (await isFree(port)) return port;
  }
};
