/** Spawn to the answer to initialize, beside `node -e 0`; memory right after. */
import { spawn } from 'node:child_process';
import { memoryMb, nowMs, sleep } from '../processes.mjs';

const BARE = 'node -e 0';

const bareNode = () =>
  new Promise((resolve) => {
    const startedAt = nowMs();
    spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }).once('exit', () => resolve(nowMs() - startedAt));
  });

export default {
  name: 'startup',
  needs: [],
  rows: () => [
    {
      key: 'startup',
      label: 'start: spawn to the answer to initialize, ms',
      better: 'lower',
      beside: [BARE],
      targets: [{ of: BARE, atMost: 2 }],
    },
    {
      key: 'memory.init',
      label: 'memory after initialize, MB',
      better: 'lower',
      targets: [{ of: 'floor', atMost: 1.3 }],
    },
  ],
  run: async ({ use, scaled, add, beside, server }) => {
    for (let i = 0; i < scaled(10, 2); i += 1) {
      await use(async ({ startupMs, pid }) => {
        add('startup', startupMs);
        await sleep(50);
        add('memory.init', memoryMb(pid).now);
      });
      if (server.name === 'codex-rx' || server.name === 'floor') beside('startup', BARE, await bareNode());
    }
  },
};
