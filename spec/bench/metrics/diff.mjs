/** Two large tapes compared, of which ten calls differ: the whole command, from its start to its end. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nowMs } from '../processes.mjs';
import { commandLine } from '../program.mjs';

/** A request, two notifications and a response of 1 KB; each thousandth response has `mark`. */
const callAt = (id, mark) => [
  ['in', { id, method: 'tools/call', params: { name: `tool${id % 7}`, arguments: { path: `/srv/file${id}.txt` } } }],
  ['out', { method: 'notifications/progress', params: { progressToken: id, progress: 1 } }],
  ['out', { method: 'notifications/message', params: { data: `file${id} took 12ms at 2026-11-22T10:00:00Z` } }],
  [
    'out',
    { id, result: { text: `result ${id}${id % 1_000 === 0 ? mark : ''} ${'lorem ipsum dolor sit '.repeat(40)}` } },
  ],
];

const tapeOf = (calls, mark) =>
  Array.from({ length: calls }, (_, id) => callAt(id, mark))
    .flat()
    .map(([dir, message], t) => JSON.stringify({ t, dir, line: JSON.stringify({ jsonrpc: '2.0', ...message }) }))
    .join('\n');

const compared = (a, b) =>
  new Promise((resolve, reject) => {
    const startedAt = nowMs();
    const [node, ...args] = commandLine('diff', a, b);
    const child = spawn(node, args, { stdio: 'ignore' });
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 1 ? resolve(nowMs() - startedAt) : reject(new Error(`diff ended with exit code ${code}`)),
    );
  });

export default {
  name: 'diff',
  needs: [],
  rows: (scaled) => [
    { key: 'diff.10k', label: `two tapes of ${scaled(10_000, 1_100)} calls compared, ms`, better: 'lower' },
  ],
  run: async ({ server, scaled, add, note }) => {
    if (server.name !== 'codex-rx') return note('diff.10k', 'compares no tapes');
    const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-bench-'));
    try {
      const [a, b] = ['a', 'b'].map((name) => path.join(folder, `${name}.jsonl`));
      writeFileSync(a, tapeOf(scaled(10_000, 1_100), ''));
      writeFileSync(b, tapeOf(scaled(10_000, 1_100), ' now'));
      add('diff.10k', await compared(a, b));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
