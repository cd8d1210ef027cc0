/** A tape drawn as a page: the whole command, from its start to the file on the disk. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nowMs } from '../processes.mjs';
import { commandLine } from '../program.mjs';

const SIZES = [
  { key: 'diagram.10k', full: 10_000 },
  { key: 'diagram.100k', full: 100_000 },
];

/** Calls of 20 messages each: their request, events of several kinds, the answer. */
const messageAt = (at) => {
  const id = Math.floor(at / 20);
  const step = at % 20;
  if (step === 0)
    return ['in', { id, method: 'tools/call', params: { name: 'codex', arguments: { prompt: `job ${id}` } } }];
  if (step === 19) return ['out', { id, result: { content: [{ type: 'text', text: `done ${id}` }] } }];
  const type = ['task_started', 'exec_command_begin', 'agent_message_delta', 'token_count'][step % 4];
  const msg = { type, delta: 'lorem ipsum dolor sit amet '.repeat(1 + (step % 5)) };
  return ['out', { method: 'codex/event', params: { _meta: { requestId: id, threadId: `thread-${id % 20}` }, msg } }];
};

const tapeOf = (size) =>
  Array.from({ length: size }, (_, at) => {
    const [dir, message] = messageAt(at);
    return JSON.stringify({ t: at * 1.7, dir, line: JSON.stringify({ jsonrpc: '2.0', ...message }) });
  }).join('\n');

const drawn = (tape, out) =>
  new Promise((resolve, reject) => {
    const startedAt = nowMs();
    const [node, ...args] = commandLine('diagram', tape, '-o', out);
    const child = spawn(node, args, { stdio: 'ignore' });
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve(nowMs() - startedAt) : reject(new Error(`diagram ended with exit code ${code}`)),
    );
  });

export default {
  name: 'diagram',
  needs: [],
  rows: (scaled) => [
    ...SIZES.map(({ key, full }) => ({ key, label: `a page of ${scaled(full, 100)} messages, ms`, better: 'lower' })),
    { key: 'diagram.size', label: 'the larger of these pages, MB', better: 'lower' },
  ],
  run: async ({ server, scaled, add, note }) => {
    if (server.name !== 'codex-rx') return note('diagram.10k', 'draws no tapes');
    const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-bench-'));
    try {
      for (const { key, full } of SIZES) {
        const [tape, out] = ['jsonl', 'html'].map((kind) => path.join(folder, `${key}.${kind}`));
        writeFileSync(tape, tapeOf(scaled(full, 100)));
        add(key, await drawn(tape, out));
        if (key === 'diagram.100k') add('diagram.size', statSync(out).size / 1e6);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
