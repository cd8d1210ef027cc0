/** Threads on the disk: a list of ten thousand, and one of 10 MB that is gone on with. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nowMs } from '../processes.mjs';
import { commandLine } from '../program.mjs';
import { median } from '../results.mjs';
import { timed } from './turns/calls.mjs';

const DAY = path.join('sessions', '2026', '01', '02');
const fileOf = (id) => `rollout-2026-01-02T03-04-05-${id}.jsonl`;
const line = (type, payload) => `${JSON.stringify({ timestamp: '2026-01-02T03:04:05.000Z', type, payload })}\n`;
const messageLine = (role, type, text) => line('response_item', { type: 'message', role, content: [{ type, text }] });

const threadOf = (id, turns, text) =>
  [
    line('session_meta', {
      id,
      timestamp: '2026-01-02T03:04:05.000Z',
      cwd: '/',
      originator: 'bench',
      cli_version: '0',
    }),
    ...Array.from({ length: turns }, () => [
      messageLine('user', 'input_text', 'go on'),
      messageLine('assistant', 'output_text', text),
    ]),
  ]
    .flat()
    .join('');

const write = (codexHome, turns, text) => {
  const id = randomUUID();
  mkdirSync(path.join(codexHome, DAY), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(codexHome, DAY, fileOf(id)), threadOf(id, turns, text), { mode: 0o600 });
  return id;
};

/** The whole command, from its start to its end. */
const listed = (codexHome) => {
  const startedAt = nowMs();
  const [program, ...args] = commandLine('threads', 'list', '--json');
  const out = execFileSync(program, args, { env: { ...process.env, CODEX_HOME: codexHome }, encoding: 'utf8' });
  if (!out.includes('"id"')) throw new Error('no thread was listed');
  return nowMs() - startedAt;
};

const list = (count, add) => {
  const codexHome = mkdtempSync(path.join(tmpdir(), 'codex-rx-bench-'));
  try {
    for (let at = 0; at < count; at += 1) write(codexHome, 1, 'done');
    add('stored.first', listed(codexHome));
    add('stored.list', listed(codexHome));
  } finally {
    rmSync(codexHome, { recursive: true, force: true });
  }
};

/** The rollout that a turn has written to, and its size. */
const sizeOf = (codexHome, id) => {
  const folder = path.join(codexHome, DAY);
  const name = readdirSync(folder).find((file) => file.includes(id));
  return readFileSync(path.join(folder, name)).length;
};

export default {
  name: 'stored',
  needs: ['codex'],
  rows: (scaled) => [
    { key: 'stored.first', label: `list of ${scaled(10_000, 100)} threads, the first time, ms`, better: 'lower' },
    { key: 'stored.list', label: 'the same again, whole command, ms', better: 'lower' },
    { key: 'stored.resume', label: 'first reply to a stored thread of 10 MB, ms', better: 'lower' },
    { key: 'stored.reply', label: 'further replies to it, ms', better: 'lower' },
    { key: 'stored.append', label: 'bytes that each adds to its file', better: 'lower' },
  ],
  run: async ({ use, server, scaled, add, note }) => {
    if (server.name !== 'codex-rx') return note('stored.list', 'is not measured');
    list(scaled(10_000, 100), add);
    await use(
      async (client) => {
        const { codexHome } = client;
        await client.call('bench:say');
        const id = write(codexHome, 100, 'x'.repeat(100_000));
        const reply = { name: 'codex-reply', arguments: { prompt: 'bench:say', [server.replyKey]: id } };
        const ask = async () => (await timed(() => client.request('tools/call', reply))).ms;
        add('stored.resume', await ask());
        const before = sizeOf(codexHome, id);
        const count = scaled(10, 2);
        const times = [];
        for (let at = 0; at < count; at += 1) times.push(await ask());
        add('stored.reply', median(times));
        add('stored.append', (sizeOf(codexHome, id) - before) / count);
      },
      { freshHome: true },
    );
  },
};
