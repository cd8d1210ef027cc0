/** A tape played as a server: to a client that says its whole half at once, and to one that waits for each answer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { answerTimes, startPipe } from '../pipes.mjs';
import { nowMs } from '../processes.mjs';
import { commandLine } from '../program.mjs';
import { median, quantile } from '../results.mjs';

const EVENTS = 8;
const entry = (t, dir, message) => JSON.stringify({ t, dir, line: JSON.stringify({ jsonrpc: '2.0', ...message }) });
const request = (id) => ({ id, method: 'tools/call', params: { name: 'codex', arguments: { prompt: `job ${id}` } } });
const event = (id, at) => ({
  method: 'codex/event',
  params: { _meta: { requestId: id }, msg: { type: 'agent_message_delta', delta: `${at} lorem ipsum dolor sit amet` } },
});
const answer = (id) => ({ id, result: { content: [{ type: 'text', text: `done ${id}` }] } });

/** Calls one after another, each with its events and its answer. */
const tapeOf = (calls) =>
  Array.from({ length: calls }, (_, id) => [
    entry(id, 'in', request(id)),
    ...Array.from({ length: EVENTS }, (_, at) => entry(id, 'out', event(id, at))),
    entry(id, 'out', answer(id)),
  ])
    .flat()
    .join('\n');

const linesOf = (calls) => Array.from({ length: calls }, (_, id) => JSON.stringify({ jsonrpc: '2.0', ...request(id) }));

const WARM_UP = 200;

/** The same without events. */
const shortTapeOf = (calls) =>
  Array.from({ length: calls }, (_, id) => [entry(id, 'in', request(id)), entry(id, 'out', answer(id))])
    .flat()
    .join('\n');

export default {
  name: 'replay',
  needs: [],
  rows: (scaled) => [
    {
      key: 'replay',
      label: `messages/s sent by replay of ${scaled(10_000, 200)} calls, from its first to its last`,
      better: 'higher',
    },
    { key: 'replay.whole', label: 'the whole command, with reading the tape, ms', better: 'lower' },
    { key: 'replay.p50', label: 'a call of replay, from the request to the response, median, ms', better: 'lower' },
    { key: 'replay.p99', label: 'the same, 99th percentile, ms', better: 'lower' },
  ],
  run: async ({ server, scaled, add, note }) => {
    if (server.name !== 'codex-rx') return note('replay', 'plays no tapes');
    const calls = scaled(10_000, 200);
    const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-bench-'));
    try {
      const tape = path.join(folder, 'tape.jsonl');
      writeFileSync(tape, tapeOf(calls));
      const startedAt = nowMs();
      const { child, ended } = startPipe(commandLine('replay', tape));
      let [lines, firstAt, lastAt] = [0, 0, 0];
      child.stdout.on('data', (chunk) => {
        lastAt = nowMs();
        firstAt ||= lastAt;
        for (const byte of chunk) if (byte === 10) lines += 1;
      });
      child.stdin.end(
        linesOf(calls)
          .map((line) => `${line}\n`)
          .join(''),
      );
      const code = await ended;
      const expected = calls * (EVENTS + 1);
      if (code !== 0 || lines !== expected) throw new Error(`${lines} of ${expected} lines came, exit code ${code}`);
      add('replay', lines / ((lastAt - firstAt) / 1000));
      add('replay.whole', nowMs() - startedAt);
      const asked = WARM_UP + scaled(2_000, 200);
      writeFileSync(tape, shortTapeOf(asked));
      const times = (await answerTimes(commandLine('replay', tape), linesOf(asked))).slice(WARM_UP);
      add('replay.p50', median(times));
      add('replay.p99', quantile(times, 0.99));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
