/** Patches of a large file: read and planned, with the diff that clients get; and applied on the disk. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { nowMs } from '../processes.mjs';

const SOURCE = fileURLToPath(new URL('../../../src', import.meta.url));
const LINES = 10_000;

/** The room has no door in the program that is built, so it is built for itself. */
const load = (folder) => {
  const outfile = path.join(folder, 'patch.cjs');
  const contents = `
    export { parsePatch } from './executor/patch/grammar/parsePatch';
    export { planPatch } from './executor/patch/planPatch';
    export { toFileChanges } from './executor/patch/toFileChanges';
    export { patchHere } from './executor/localPatch/patchHere';
    export { firstValueFrom } from 'rxjs';`;
  const stdin = { contents, resolveDir: SOURCE, loader: 'ts' };
  buildSync({ stdin, bundle: true, platform: 'node', target: 'node20', outfile, logLevel: 'warning' });
  return createRequire(import.meta.url)(outfile);
};

const numbered = (name) => Array.from({ length: LINES }, (_, at) => `${name} ${at}: the quick brown fox jumps over it`);

/** Three chunks, at the beginning, in the middle and at the end; `from` and `to` are states of the same lines. */
const patchOf = (lines, from, to) =>
  [
    '*** Begin Patch',
    '*** Update File: large.txt',
    ...[100, LINES / 2, LINES - 100].flatMap((at) => [
      '@@',
      ...[` ${lines[at - 1]}`, `-${lines[at]}${from}`, `+${lines[at]}${to}`, ` ${lines[at + 1]}`],
    ]),
    '*** End Patch',
  ].join('\n');

const perSecond = async (count, act) => {
  const startedAt = nowMs();
  for (let at = 0; at < count; at += 1) await act(at);
  return (count * 1000) / (nowMs() - startedAt);
};

export default {
  name: 'patch',
  needs: [],
  rows: () => [
    { key: 'patch.plan', label: 'patches of a file of 10,000 lines planned and shown, per s', better: 'higher' },
    { key: 'patch.apply', label: 'such patches applied on the disk, per s', better: 'higher' },
  ],
  run: async ({ server, scaled, add, note }) => {
    if (server.name !== 'codex-rx') return note('patch.plan', 'has no patches of its own');
    const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-bench-'));
    try {
      const { patchHere, parsePatch, planPatch, toFileChanges, firstValueFrom } = load(folder);
      const lines = numbered('line');
      const file = path.join(folder, 'large.txt');
      const text = `${lines.join('\n')}\n`;
      writeFileSync(file, text);
      const patches = [patchOf(lines, '', ' twice'), patchOf(lines, ' twice', '')];
      const state = { bytes: Buffer.from(text), mode: 0o644, access: 'writable' };
      const seen = { kind: 'file', real: file, entry: file, absolute: file, file: state };
      const view = new Map([['large.txt', seen]]);
      const plan = async () => toFileChanges(planPatch(parsePatch(patches[0]), view));
      await perSecond(scaled(20, 2), plan);
      add('patch.plan', await perSecond(scaled(200, 10), plan));
      const log = () => {};
      const { check, apply } = patchHere({ codexHome: path.join(folder, 'home'), platform: process.platform, log });
      const applyOne = async (at) => {
        const made = await firstValueFrom(check(patches[at % 2], folder));
        const { kind } = await firstValueFrom(apply({ plan: made, mayWrite: () => true }));
        if (kind !== 'applied') throw new Error(`a patch was not applied: ${kind}`);
      };
      add('patch.apply', await perSecond(scaled(100, 10), applyOne));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
