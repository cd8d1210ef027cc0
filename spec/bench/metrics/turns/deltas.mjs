/** One call whose model streams 2,000 deltas: how fast they are forwarded. */
import { streamDeltas } from './streams.mjs';

const count = (scaled) => scaled(2000, 100);

export default {
  name: 'deltas',
  needs: ['codex'],
  rows: (scaled) => [
    {
      key: 'deltas',
      label: `${count(scaled)} deltas in one call, events/s`,
      better: 'higher',
      targets: [{ of: 'floor', atLeast: 0.5 }],
    },
    { key: 'deltas.bytes', label: 'bytes to the client for each delta', better: 'lower' },
  ],
  run: ({ use, scaled, add, trouble }) =>
    use(
      async (client) => {
        await streamDeltas(client, 1, count(scaled)); // the first turn is a metric of its own
        const { perSecond, bytesEach, wrong } = await streamDeltas(client, 1, count(scaled));
        for (const what of wrong) trouble('deltas', what);
        if (wrong.length > 0) return;
        add('deltas', perSecond);
        add('deltas.bytes', bytesEach);
      },
      { freshHome: true },
    ),
};
