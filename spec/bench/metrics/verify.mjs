/** A tape played to a server as its client: verified whole, forked at its last line; and one of the daemon that runs again. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPipe } from '../pipes.mjs';
import { nowMs } from '../processes.mjs';
import { commandLine } from '../program.mjs';

const FLOOR = fileURLToPath(new URL('../floor.mjs', import.meta.url));
const entry = (t, dir, message) => JSON.stringify({ t, dir, line: JSON.stringify({ jsonrpc: '2.0', ...message }) });

const tapeOf = (calls) =>
  Array.from({ length: calls }, (_, id) => [
    entry(id, 'in', { id, method: 'ping' }),
    entry(id, 'out', { id, result: {} }),
  ])
    .flat()
    .join('\n');

const timed = async (args) => {
  const startedAt = nowMs();
  const { child, ended } = startPipe(commandLine(...args));
  child.stdout.resume();
  child.stdin.end();
  const code = await ended;
  if (code !== 0) throw new Error(`${args[0]} ended with exit code ${code}`);
  return nowMs() - startedAt;
};

const run = (args) => timed([...args, '--', process.execPath, FLOOR]);

/** A tape that the daemon makes of itself: pings and their answers. */
const recordDaemon = async (tape, pings) => {
  const { child, ended } = startPipe(commandLine('mcp-server', '--record', tape));
  child.stdout.resume();
  const ping = (id) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;
  child.stdin.end(Array.from({ length: pings }, (_, id) => ping(id)).join(''));
  await ended;
};

export default {
  name: 'verify',
  needs: [],
  rows: (scaled) => [
    { key: 'verify', label: `a tape of ${scaled(10_000, 200)} calls verified, whole command, ms`, better: 'lower' },
    { key: 'fork', label: 'a tape of half as many calls forked at its end, ms', better: 'lower' },
    { key: 'rerun', label: `the daemon of a tape of ${scaled(10_000, 200)} lines run again, ms`, better: 'lower' },
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
      const own = path.join(folder, 'own.jsonl');
      await recordDaemon(own, calls / 2);
      add('rerun', await timed(['rerun', own]));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
