/** A patch whose process was killed, as whoever starts next finds it: no command ever sees a part of it. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, ended, start } from '../../contract/patch/startPatch';
import { AFTER, BEFORE, PATCH } from '../../executor/applying/support';
import { newFolder, put, textsIn } from '../../executor/localPatch/files';
import { codexCall, greet } from '../../support/daemon/legacy';
import { commandLine, endServers, startServer } from '../../support/daemon/peer';
import { startExecServer } from '../../support/exec/execPeer';
import { type Home, openHome, removeHomes } from '../../support/home';

const inWork = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path.replace('/ws/', ''), text]));
const [OLD, NEW] = [inWork(BEFORE), inWork(AFTER)];
const OTHER = '*** Begin Patch\n*** Add File: other.txt\n+o\n*** End Patch\n';

const root = newFolder();
const program = build('patchProgram', root);
const patchFile = join(root, 'p.patch');
writeFileSync(patchFile, PATCH);

afterEach(async () => {
  await endServers();
  removeHomes();
});

const journalsOf = (home: Home): string => join(home.path, '.codex', 'codex-rx', 'patches');

/** Applies the patch in the folder of a home, and dies before an operation of the disk; resolves with how many there were. */
const patchIn = async (home: Home, diesAt: number): Promise<number> => {
  for (const [path, text] of Object.entries(OLD)) put(home.work, path, text);
  const env = { PATCH_FILE: patchFile, PATCH_JOURNALS: journalsOf(home), PATCH_HOME: join(root, 'none') };
  const { stdout } = await ended(start([process.execPath, program], home.work, { ...env, PATCH_DIES_AT: `${diesAt}` }));
  return stdout === '' ? 0 : JSON.parse(stdout).operations;
};

/** Has a process of the home look at its folder with its first command, and resolves with what that saw. */
type Observer = (home: Home, seen: string) => Promise<Record<string, string>>;

const daemon: Observer = async (home, seen) => {
  const call = { call: 'shell', args: { command: ['cp', '-r', home.work, seen] } };
  const scene = { when: 'look', answers: [{ items: [call] }, { items: [{ text: 'done' }] }] };
  const peer = startServer({ home, script: { scenes: [scene], otherwise: { items: [{ text: '' }] } } });
  await greet(peer);
  await peer.request(
    'tools/call',
    codexCall(peer, 'look', { 'approval-policy': 'never', sandbox: 'danger-full-access' }),
    1,
  );
  return textsIn(seen);
};

const execServer: Observer = async (home, seen) => {
  process.env.CODEX_HOME = join(home.path, '.codex'); // the server inherits it
  try {
    const server = await startExecServer();
    await server.start('p', `cp -r ${home.work} ${seen}`);
    await server.closed('p');
    server.child.kill('SIGKILL');
    await server.ended;
  } finally {
    delete process.env.CODEX_HOME;
  }
  return textsIn(seen);
};

const applyPatch: Observer = async (home) => {
  mkdirSync(join(home.path, 'elsewhere'));
  const [node, args] = commandLine('apply-patch', '--cd', join(home.path, 'elsewhere'));
  const { stderr, status } = spawnSync(node, args, { cwd: home.work, env: home.env, input: OTHER, encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    0,
    expect.stringMatching(/^$|^codex-rx apply-patch: a patch that was interrupted is /),
  ]);
  return textsIn(home.work);
};

/** The part of all operations after which the process dies, and the files that everybody finds from then on. */
const ENDINGS: [number, Record<string, string>][] = [
  [0.5, OLD],
  [0.7, NEW],
  [0.75, NEW],
];

describe('a patch whose process was killed', () => {
  it.each<[string, Observer]>([
    ['the first command of a daemon', daemon],
    ['the first command on an exec-server', execServer],
    ['whoever has run apply-patch', applyPatch],
  ])(
    'is seen as a whole or not at all by %s',
    async (_, look) => {
      const operations = await patchIn(openHome(), 0);
      for (const [part, files] of ENDINGS) {
        const home = openHome();
        await patchIn(home, Math.floor(operations * part));
        expect(readdirSync(journalsOf(home)).length).toBe(1);
        const seen = await look(home, join(home.path, 'seen'));
        expect([part, seen]).toEqual([part, files]);
        expect(textsIn(home.work)).toEqual(seen);
        expect(existsSync(journalsOf(home)) ? readdirSync(journalsOf(home)) : []).toEqual([]);
      }
    },
    120_000,
  );
});
