/** Twenty calls at once, each with 2,000 deltas. */
import { cpuMs, memoryMb } from '../../processes.mjs';
import { streamDeltas } from './streams.mjs';

const CALLS = 20;
const count = (scaled) => scaled(2000, 100);

export default {
  name: 'parallel',
  needs: ['codex'],
  rows: (scaled) => [
    {
      key: 'parallel',
      label: `${CALLS} calls of ${count(scaled)} deltas at once, events/s`,
      better: 'higher',
      targets: [{ of: 'floor', atLeast: 0.5 }],
    },
    { key: 'parallel.cpu', label: 'CPU of the server for them, ms', better: 'lower' },
    { key: 'parallel.peak', label: 'peak memory with them, MB', better: 'lower' },
  ],
  run: ({ use, scaled, add, trouble }) =>
    use(
      async (client) => {
        await streamDeltas(client, 1, count(scaled)); // the first turn is a metric of its own
        const before = cpuMs(client.pid);
        const { perSecond, wrong } = await streamDeltas(client, CALLS, count(scaled));
        for (const what of wrong) trouble('parallel', what);
        if (wrong.length > 0) return;
        add('parallel', perSecond);
        add('parallel.cpu', cpuMs(client.pid) - before);
        add('parallel.peak', memoryMb(client.pid).peak);
      },
      { freshHome: true },
    ),
};
