/** A tape played to a server as its client: verified whole, and forked at its last line. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine, startPipe } from '../pipes.mjs';
import { nowMs } from '../processes.mjs';

const FLOOR = fileURLToPath(new URL('../floor.mjs', import.meta.url));
const entry = (t, dir, message) => JSON.stringify({ t, dir, line: JSON.stringify({ jsonrpc: '2.0', ...message }) });

const tapeOf = (calls) =>
  Array.from({ length: calls }, (_, id) => [
    entry(id, 'in', { id, method: 'ping' }),
    entry(id, 'out', { id, result: {} }),
  ])
    .flat()
    .join('\n');

const run = async (args) => {
  const startedAt = nowMs();
  const { child, ended } = startPipe(commandLine(...args, '--', process.execPath, FLOOR));
  child.stdout.resume();
  child.stdin.end();
  const code = await ended;
  if (code !== 0) throw new Error(`${args[0]} ended with exit code ${code}`);
  return nowMs() - startedAt;
};

export default {
  name: 'verify',
  needs: [],
  rows: (scaled) => [
    { key: 'verify', label: `a tape of ${scaled(10_000, 200)} calls verified, whole command, ms`, better: 'lower' },
    { key: 'fork', label: 'a tape of half as many calls forked at its end, ms', better: 'lower' },
  ],
  run: async ({ server, scaled, add, note }) => {
    if (server.name !== 'codex-rx') return note('verify', 'verifies no tapes');
    const calls = scaled(10_000, 200);
    const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-bench-'));
    try {
      const [whole, half] = ['whole', 'half'].map((name) => path.join(folder, `${name}.jsonl`));
      writeFileSync(whole, tapeOf(calls));
      writeFileSync(half, tapeOf(calls / 2));
      add('verify', await run(['replay', whole]));
      add('fork', await run(['fork', half, '--at', String(calls)]));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
