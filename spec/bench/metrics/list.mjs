/** tools/list as fast as it is taken. */
import { flood, requestLines } from '../flood.mjs';
import { figure } from '../results.mjs';

const count = (scaled) => scaled(5000, 500);

export default {
  name: 'list',
  needs: ['tools/list'],
  rows: (scaled) => [
    {
      key: 'list',
      label: `${count(scaled)} tools/list pipelined, /s`,
      better: 'higher',
      targets: [{ of: 'floor', atLeast: 0.8 }],
    },
  ],
  run: ({ use, scaled, add, note, trouble }) =>
    use(async (client) => {
      const n = count(scaled);
      const { ms, bytes, wrong, complete } = await flood(client, {
        count: n,
        buffers: requestLines(n, () => '"method":"tools/list"'),
      });
      for (const what of wrong) trouble('list', what);
      if (!complete) return;
      add('list', (n / ms) * 1000);
      note('list', `${figure(bytes / n / 1000)} kB each`);
    }),
};
