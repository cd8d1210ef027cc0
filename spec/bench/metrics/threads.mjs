/** A thousand threads of one turn: the memory after them. */
import { memoryMb, sleep } from '../processes.mjs';

const CHARS = 22_000;
const AT_ONCE = 4;

export default {
  name: 'threads',
  needs: ['codex'],
  rows: (scaled) => [
    {
      key: 'threads',
      label: `memory after ${scaled(1_000, 20)} threads of one turn of 22 KB, MB`,
      better: 'lower',
      targets: [{ atMost: 150 }],
    },
    { key: 'threads.each', label: 'of it beyond that after the first 20, per thread, KB', better: 'lower' },
  ],
  run: ({ use, scaled, add }) =>
    use(
      async (client) => {
        const calls = async (count) => {
          let left = count;
          const work = async () => {
            while (left > 0) {
              left -= 1;
              const { result } = await client.call(`bench:text:${CHARS}`);
              if (result?.content?.[0]?.text?.length !== CHARS) throw new Error('a turn has another result');
            }
          };
          await Promise.all(Array.from({ length: AT_ONCE }, work));
          await sleep(500);
          return memoryMb(client.pid).now;
        };
        const first = await calls(20);
        const count = scaled(1_000, 20);
        const after = await calls(count - 20);
        add('threads', after);
        if (count > 20) add('threads.each', ((after - first) * 1024) / (count - 20));
      },
      { freshHome: true },
    ),
};
