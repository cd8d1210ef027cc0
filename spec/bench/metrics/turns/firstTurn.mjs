/** The first turn of a process: what is loaded and looked up only then is in it. */
import { timed } from './calls.mjs';

export default {
  name: 'firstTurn',
  needs: ['codex'],
  rows: () => [
    {
      key: 'firstTurn',
      label: 'first turn of a process, model answers at once, ms',
      better: 'lower',
      targets: [{ atMost: 80 }],
    },
  ],
  run: async ({ use, scaled, add }) => {
    for (let i = 0; i < scaled(3, 1); i += 1) {
      await use(async (client) => add('firstTurn', (await timed(() => client.call('bench:say'))).ms), {
        freshHome: true,
      });
    }
  },
};
