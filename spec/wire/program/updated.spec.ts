/** The files of the program are removed, or replaced by those of another version, while it runs. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codexCall, greet, textOf } from '../../support/daemon/legacy';
import { attach, endServers, type Peer, scripted } from '../../support/daemon/peer';
import { openHome, removeHomes } from '../../support/home';

afterEach(endServers);
afterEach(removeHomes);

const ROOT = resolve(__dirname, '../../..');
const SCRIPTS = ['main', 'line', 'checks', 'turn', 'commands', 'servers', 'methods', 'more', 'rest'].map(
  (name) => `${name}.cjs`,
);
const READ_AHEAD = [...SCRIPTS, 'web-tree-sitter.wasm', 'tree-sitter-bash.wasm'];
const REPLACED = /^codex-rx was updated or removed while it ran, .*: restart this server in its client\n?/;

/** A copy of the program. */
const copyTo = (folder: string): string => {
  const isNeeded = (path: string) => !path.endsWith('types');
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter: isNeeded });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};

const script = {
  scenes: [
    {
      when: 'go',
      answers: [
        { items: [{ call: 'shell', args: { command: ['bash', '-lc', 'true && echo hi'] } }] },
        { items: [{ text: 'done' }] },
      ],
    },
  ],
};

const startCopy = (isScripted: boolean, spoil: (file: string) => void = () => {}): { peer: Peer; program: string } => {
  const home = openHome();
  const program = copyTo(join(home.path, 'program'));
  spoil(join(program, 'dist/turn.cjs'));
  const options = { env: home.env, cwd: home.work, stdio: 'pipe' } as const;
  const words = [join(program, 'bin/codex-rx.js'), ...(isScripted ? scripted(home, script) : [])];
  const peer = attach(spawn(process.execPath, words, options), home);
  return { peer, program };
};

const bytesRead = ({ child }: Peer): number =>
  Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${child.pid}/io`, 'utf8'))?.[1]);

/** Resolves once the program has read what a call needs. */
const readAhead = async (peer: Peer, program: string): Promise<void> => {
  const bytes = READ_AHEAD.reduce((sum, name) => sum + statSync(join(program, 'dist', name)).size, 0);
  while (bytesRead(peer) < bytes) await peer.request('ping');
};

const cut = (file: string): void => writeFileSync(file, readFileSync(file).subarray(0, 100_000));
const ofAnotherBuild = (file: string): void =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(/[0-9a-f]{12}\n$/, '0123456789ab\n'));

/** Commands that load most scripts of the build; these also run programs. */
const RUNNING = [
  ['exec-server', '--listen', 'stdio'],
  ['doctor', '--json'],
];
const COMMANDS = [...RUNNING, ['redact', 'tape'], ['record', '-o', 'tape', '--', 'cat']];
const NEEDED_BY = new Map([
  ['methods.cjs', [['acp']]],
  ['commands.cjs', RUNNING],
  ['servers.cjs', RUNNING],
]);

describe('a program that is updated while it runs', () => {
  it('answers its first call with what it has read', async () => {
    const { peer, program } = startCopy(true);
    await greet(peer);
    await readAhead(peer, program);
    renameSync(join(program, 'dist'), join(program, 'away'));
    const answer = await peer.request('tools/call', codexCall(peer, 'go', { 'approval-policy': 'never' }));
    expect(textOf(answer)).toContain('done');
    expect(await peer.end()).toEqual({ code: 0, signal: null });
  });

  it.each([
    ['cut off', cut],
    ['of another build', ofAnotherBuild],
  ])('names the remedy in each answer if a script is %s, and goes on', async (_, spoil) => {
    const { peer } = startCopy(false, spoil);
    await greet(peer);
    const answer = await peer.request('tools/call', codexCall(peer, 'go'));
    expect(textOf(answer)).toMatch(REPLACED);
    expect(await peer.request('newConversation', {})).toMatchObject({
      error: { message: expect.stringMatching(REPLACED) },
    });
    expect(await peer.request('ping')).toMatchObject({ result: {} });
    expect(await peer.end()).toEqual({ code: 0, signal: null });
  });

  it.each(SCRIPTS)('runs no command with %s of another build, and shows the remedy alone', (script) => {
    const { path, env, work } = openHome();
    const program = copyTo(join(path, 'program'));
    ofAnotherBuild(join(program, 'dist', script));
    const commands = NEEDED_BY.get(script) ?? COMMANDS;
    const outcomes = commands.map((words) => {
      const how = { env, cwd: work, input: '', encoding: 'utf8' } as const;
      const { status, stderr } = spawnSync(process.execPath, [join(program, 'bin/codex-rx.js'), ...words], how);
      return { words, status, stderr };
    });
    const remedy = expect.stringMatching(new RegExp(`${REPLACED.source}$`));
    expect(outcomes).toEqual(commands.map((words) => ({ words, status: 1, stderr: remedy })));
  });
});
