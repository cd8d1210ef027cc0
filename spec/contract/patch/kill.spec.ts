/** Patches whose process is killed with SIGKILL, on the real disk. */
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { patchHere } from '../../../src/executor/localPatch/patchHere';
import { silentLog } from '../../../src/protocol/log';
import { AFTER, BEFORE, PATCH } from '../../executor/applying/support';
import { newFolder, put, textsIn } from '../../executor/localPatch/files';
import { build, type Ended, ended, start } from './startPatch';

const root = newFolder();
const program = build('patchProgram', root);
const home = join(root, 'home');
const journals = join(home, 'codex-rx', 'patches');
const patchFile = join(root, 'p.patch');
writeFileSync(patchFile, PATCH);

const inHere = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path.replace('/ws/', ''), text]));
const [OLD, NEW] = [inHere(BEFORE), inHere(AFTER)];

const freshFolder = (): string => {
  const cwd = join(root, 'ws');
  rmSync(cwd, { recursive: true, force: true });
  rmSync(journals, { recursive: true, force: true });
  mkdirSync(cwd);
  for (const [path, text] of Object.entries(OLD)) put(cwd, path, text);
  return cwd;
};

const env = { PATCH_FILE: patchFile, PATCH_JOURNALS: journals, PATCH_HOME: join(root, 'other') };
const run = (diesAt: number): Promise<Ended> =>
  ended(start([process.execPath, program], freshFolder(), { ...env, PATCH_DIES_AT: `${diesAt}` }));

const namesOfJournals = (): string[] => (existsSync(journals) ? readdirSync(journals) : []);

/** What a process finds that begins a while after the other was killed: drafts of journals are removed when they are a minute old. */
const recovered = async (): Promise<Record<string, string>> => {
  for (const name of namesOfJournals()) utimesSync(join(journals, name), 0, 0);
  await patchHere({ codexHome: home, platform: process.platform, log: silentLog }).recover();
  expect(namesOfJournals()).toEqual([]);
  return textsIn(join(root, 'ws'));
};

describe('a patch whose process is killed', () => {
  it('is applied as a whole if it is not', async () => {
    const { stdout, code } = await run(0);
    expect([JSON.parse(stdout).kind, code]).toEqual(['applied', 0]);
    expect(await recovered()).toEqual(NEW);
  });

  it('is rolled back, or done, wherever that happens', async () => {
    const { operations } = JSON.parse((await run(0)).stdout);
    const outcomes = new Set<string>();
    const offset = 1 + Math.floor(Math.random() * 4);
    for (let diesAt = offset; diesAt <= operations; diesAt += 4) {
      const { signal } = await run(diesAt);
      const files = await recovered();
      const isDone = files['a.txt'] === 'A\n';
      outcomes.add(isDone ? 'done' : 'back');
      expect([diesAt, signal, files]).toEqual([diesAt, 'SIGKILL', isDone ? NEW : OLD]);
    }
    expect([...outcomes].sort()).toEqual(['back', 'done']);
  }, 120_000);

  it('is rolled back, or done, whenever that happens', async () => {
    for (let round = 0; round < 8; round += 1) {
      const child = start([process.execPath, program], freshFolder(), env);
      const isEnded = ended(child);
      const waitMs = Math.random() * 160;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      child.kill('SIGKILL');
      await isEnded;
      const files = await recovered();
      expect([waitMs, files]).toEqual([waitMs, files['a.txt'] === 'A\n' ? NEW : OLD]);
    }
  });
});
