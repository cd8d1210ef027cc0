/** Owns what a server of NATS does without us: acknowledged publishes, requests. */
import { createRequire } from 'node:module';
import { nowMs } from './processes.mjs';

const require = createRequire(import.meta.url);

const WINDOW = 64;

/** What the server does without us: acknowledged publishes of `bytes` each, /s; the times of requests that are answered by another connection, ms. */
export const bareNats = async (address) => {
  const { connect: open } = require('@nats-io/transport-node');
  const { jetstream, jetstreamManager } = require('@nats-io/jetstream');
  const [one, other] = [await open({ servers: address }), await open({ servers: address })];
  const manager = await jetstreamManager(one, { checkAPI: false });
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
  const requests = async (count, warmUp) => {
    other.subscribe('ask', { callback: (_, message) => message.respond() });
    await other.flush();
    const times = [];
    for (let i = 0; i < warmUp + count; i += 1) {
      const startedAt = nowMs();
      await one.request('ask');
      times.push(nowMs() - startedAt);
    }
    return times.slice(warmUp);
  };
  return { publishes, requests, end: () => Promise.all([one.close(), other.close()]) };
};
