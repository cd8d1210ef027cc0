/** Pings as fast as they are taken; memory after them. */
import { flood, requestLines } from '../flood.mjs';
import { cpuMs, memoryMb } from '../processes.mjs';

const count = (scaled) => scaled(100_000, 5000);

export default {
  name: 'pings',
  needs: ['ping'],
  rows: (scaled) => [
    {
      key: 'pings',
      label: `${count(scaled)} pings pipelined, /s`,
      better: 'higher',
      targets: [{ of: 'sdk-v1', atLeast: 5 }],
    },
    { key: 'pings.cpu', label: 'CPU of the server for them, ms', better: 'lower' },
    {
      key: 'memory.pings',
      label: `memory after ${count(scaled)} pings, MB`,
      better: 'lower',
    },
  ],
  run: ({ use, scaled, add, trouble }) =>
    use(async (client) => {
      const n = count(scaled);
      const before = cpuMs(client.pid);
      const { ms, wrong, complete } = await flood(client, {
        count: n,
        buffers: requestLines(n, () => '"method":"ping"'),
      });
      for (const what of wrong) trouble('pings', what);
      if (!complete) return;
      add('pings', (n / ms) * 1000);
      add('pings.cpu', cpuMs(client.pid) - before);
      add('memory.pings', memoryMb(client.pid).now);
    }),
};
