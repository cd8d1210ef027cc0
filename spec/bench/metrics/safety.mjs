/** Decisions about commands, and what the sandbox adds to the start of one. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { nowMs } from '../processes.mjs';

const SOURCE = fileURLToPath(new URL('../../../src', import.meta.url));
const require = createRequire(import.meta.url);

/** The rooms have no door in the program that is built, so they are built for themselves. */
const load = (folder) => {
  const outfile = path.join(folder, 'safety.cjs');
  const contents = `
    export { bashParser } from './agent/safety/bashParser';
    export { decide } from './agent/safety/decide';
    export { readTrust } from './agent/safety/readTrust';
    export { sandboxesHere } from './executor/sandbox/sandboxesHere';
    export { localBackend } from './executor/local/localBackend';
    export { noBackpressure } from './streams/backpressure/backpressure';
    export { watchGroups } from './io/processes/watchGroups';
    export { firstValueFrom, lastValueFrom } from 'rxjs';`;
  const stdin = { contents, resolveDir: SOURCE, loader: 'ts' };
  const external = ['web-tree-sitter', 'node-pty'];
  buildSync({ stdin, bundle: true, platform: 'node', target: 'node20', outfile, logLevel: 'warning', external });
  return require(outfile);
};

const COMMANDS = [
  ['ls', '-l'],
  ['bash', '-lc', 'cd src && rg -n "TODO" | head -20'],
  ['bash', '-lc', 'npm test 2>&1 | tail -5'],
  ['git', 'status', '--short'],
];

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

const msOf = async (act) => {
  const startedAt = nowMs();
  await act();
  return nowMs() - startedAt;
};

/** Medians of both, run in turn, so that whatever else the machine does falls on both alike. */
const interleavedMs = async (count, one, other) => {
  const times = { one: [], other: [] };
  for (let at = 0; at < count; at += 1) {
    times.one.push(await msOf(one));
    times.other.push(await msOf(other));
  }
  return { one: median(times.one), other: median(times.other) };
};

const decisionsPerSecond = async ({ bashParser, decide, readTrust, firstValueFrom }, count) => {
  const wasm = {
    runtime: require.resolve('web-tree-sitter/web-tree-sitter.wasm'),
    bash: require.resolve('tree-sitter-bash/tree-sitter-bash.wasm'),
  };
  const judge = readTrust({ read: bashParser({ wasm, readFile, log: () => {} }) });
  const decideOne = async (at) => {
    const { trusted } = await firstValueFrom(judge(COMMANDS[at % COMMANDS.length]));
    const action = trusted ? 'reader' : 'command';
    decide({ policy: 'on-request', mode: 'workspace-write', action, sandbox: { kind: 'ready' } });
  };
  for (let at = 0; at < COMMANDS.length; at += 1) await decideOne(at);
  const startedAt = nowMs();
  for (let at = 0; at < count; at += 1) await decideOne(at);
  return (count * 1000) / (nowMs() - startedAt);
};

const sandboxMs = async ({ sandboxesHere, localBackend, noBackpressure, watchGroups, ...rx }, folder, count) => {
  const signals = constants.signals;
  const backend = localBackend({ spawn, backpressure: noBackpressure, signals, watch: watchGroups({ spawn }) });
  const { env, platform, arch } = process;
  const own = { env, cwd: '/', codexHome: path.join(folder, 'home'), dist: path.join(folder, 'dist'), platform, arch };
  const open = sandboxesHere({ processInfo: own, backend, newId: randomUUID, log: () => {} });
  const excluded = { networkAccess: false, excludeTmpdirEnvVar: true, excludeSlashTmp: true, tmpdir: undefined };
  const { asSet, ready$ } = open({ mode: 'workspace-write', cwd: folder, writableRoots: [], ...excluded });
  const ready = await rx.firstValueFrom(ready$);
  if (ready.kind === 'missing') return { missing: ready.remedy };
  const run = (one) => rx.lastValueFrom(one.start({ argv: ['/bin/true'], cwd: folder, env: {} }));
  await run(asSet);
  const { one, other } = await interleavedMs(
    count,
    () => run(backend),
    () => run(asSet),
  );
  return { ms: other - one };
};

export default {
  name: 'safety',
  needs: [],
  rows: () => [
    { key: 'safety.decisions', label: 'commands decided, per s', better: 'higher' },
    {
      key: 'safety.sandbox',
      label: 'what the sandbox adds to a command, ms',
      better: 'lower',
      targets: [{ atMost: 30 }],
    },
  ],
  run: async ({ server, scaled, add, note }) => {
    if (server.name !== 'codex-rx') return note('safety.decisions', 'has no decisions of its own');
    const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-bench-'));
    try {
      const rooms = load(folder);
      add('safety.decisions', await decisionsPerSecond(rooms, scaled(2_000, 40)));
      const { ms, missing } = await sandboxMs(rooms, folder, scaled(40, 5));
      if (missing === undefined) add('safety.sandbox', ms);
      else note('safety.sandbox', missing);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
