/** Owns what a server of NATS does without us: acknowledged publishes, requests. */
import { createRequire } from 'node:module';
import { nowMs } from './processes.mjs';

const require = createRequire(import.meta.url);

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
  const requests = async (count, warmUp) => {
    other.subscribe('ask', { callback: (_, message) => message.respond() });
    await other.flush();
    await untilServed(one, 'ask');
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
