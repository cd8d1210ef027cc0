/** The round trip of a ping, one at a time. */
import { nowMs } from '../processes.mjs';
import { median, quantile } from '../results.mjs';

const FIRST = 1_000_000;
const WARM_UP = 500;

/** Asks, waits, asks again; gives the time of each round trip in microseconds. */
const roundTrips = (client, count) =>
  new Promise((resolve, reject) => {
    const times = [];
    let sentAt = 0;
    let id = FIRST;
    const ask = () => {
      sentAt = nowMs();
      client.child.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
    };
    client.hooks.result = (answered) => {
      if (answered !== id) return false;
      times.push((nowMs() - sentAt) * 1000);
      id += 1;
      if (times.length === count) resolve(times);
      else ask();
      return true;
    };
    client.hooks.message = ({ id: answered, error }) => {
      if (error) reject(new Error(`ping: ${JSON.stringify(error).slice(0, 160)}`));
      else client.hooks.result(answered); // an answer in an unusual form
    };
    client.ended.then((why) => reject(new Error(why)));
    setTimeout(() => reject(new Error(`${times.length} of ${count} pings answered in 60 s`)), 60_000).unref();
    ask();
  });

export default {
  name: 'ping',
  needs: ['ping'],
  rows: (scaled) => [
    {
      key: 'ping.p50',
      label: `ping round trip, ${scaled(3000, 300)} one at a time, median, µs`,
      better: 'lower',
    },
    {
      key: 'ping.p99',
      label: 'ping round trip, 99th percentile, µs',
      better: 'lower',
      targets: [{ of: 'floor', atMost: 3 }],
    },
  ],
  run: ({ use, scaled, add }) =>
    use(async (client) => {
      const times = (await roundTrips(client, WARM_UP + scaled(3000, 300))).slice(WARM_UP);
      add('ping.p50', median(times));
      add('ping.p99', quantile(times, 0.99));
    }),
};
