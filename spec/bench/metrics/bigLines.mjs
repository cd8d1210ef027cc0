/** Pings that carry a megabyte: what a long line costs, and whether the cost grows with its length alone. */
import { flood, requestLines } from '../flood.mjs';

const MB = 1_000_000;

const megabytesPerSecond = async (client, count, megabytes, trouble) => {
  const weight = 'x'.repeat(megabytes * MB);
  const buffers = requestLines(count, () => `"method":"ping","params":{"_meta":{"weight":"${weight}"}}`);
  const { ms, wrong, complete } = await flood(client, { count, buffers });
  for (const what of wrong) trouble('bigLines', what);
  return complete ? ((count * megabytes) / ms) * 1000 : Number.NaN;
};

export default {
  name: 'bigLines',
  needs: ['ping'],
  rows: (scaled) => [
    {
      key: 'bigLines',
      label: `${scaled(50, 8)} lines of 1 MB, MB/s`,
      better: 'higher',
      targets: [{ of: 'floor', atLeast: 0.8 }],
    },
    {
      key: 'bigLines.linear',
      label: 'MB/s with lines of 4 MB, divided by the above',
      better: 'higher',
      targets: [{ atLeast: 0.6 }],
    },
  ],
  run: ({ use, scaled, add, trouble }) =>
    use(async (client) => {
      const count = scaled(50, 8);
      const one = await megabytesPerSecond(client, count, 1, trouble);
      add('bigLines', one);
      add('bigLines.linear', (await megabytesPerSecond(client, Math.ceil(count / 4), 4, trouble)) / one);
    }),
};
