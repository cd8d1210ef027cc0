/** A client that asks and does not read for two seconds: all answers must arrive, and little may be held for it. */
import { flood, requestLines } from '../flood.mjs';
import { memoryMb, nowMs, sleep } from '../processes.mjs';

const PAUSE_MS = 2000;
const count = (scaled) => scaled(20_000, 2000);

export default {
  name: 'slowReader',
  needs: ['tools/list'],
  rows: (scaled) => [
    {
      key: 'slowReader.held',
      label: `slow reader, ${count(scaled)} tools/list, memory after 2 s unread, MB`,
      better: 'lower',
      targets: [{ of: 'floor', atMost: 1.5 }],
    },
    {
      key: 'slowReader.peak',
      label: 'slow reader, peak memory, MB',
      better: 'lower',
      targets: [{ of: 'floor', atMost: 1.5 }],
    },
    { key: 'slowReader.drain', label: 'slow reader, from reading again to the last answer, ms', better: 'lower' },
  ],
  run: ({ use, scaled, add, trouble }) =>
    use(async (client) => {
      const n = count(scaled);
      const buffers = requestLines(n, () => '"method":"tools/list"');
      const startedAt = nowMs();
      client.child.stdout.pause();
      const all = flood(client, { count: n, buffers, stallMs: 20_000 + PAUSE_MS });
      await sleep(PAUSE_MS);
      add('slowReader.held', memoryMb(client.pid).now);
      const pausedMs = nowMs() - startedAt;
      client.child.stdout.resume();
      const { ms, wrong, complete } = await all;
      for (const what of wrong) trouble('slowReader.held', what);
      if (complete) add('slowReader.drain', ms - pausedMs);
      add('slowReader.peak', memoryMb(client.pid).peak);
    }),
};
