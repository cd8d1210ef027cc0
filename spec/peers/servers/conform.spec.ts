/** Whole runs of `conform`: of our own daemon, its tasks and our own agent, which pass, and of a server that many people use. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { commandLine, scripted } from '../../support/daemon/peer';
import { openHome, removeHomes } from '../../support/home';
import { INSTALL_MS, installed } from '../installed';

jest.setTimeout(600_000);
beforeAll(() => void installed('memory'), INSTALL_MS);
afterEach(removeHomes);

const PATCH = '*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+uno\n*** End Patch';

/** A model that takes a moment, has to ask, or changes a file. */
const SCRIPT = {
  scenes: [
    { when: '^slow$', answers: [{ items: [{ delayMs: 1_500 }, { text: 'done' }] }] },
    {
      when: '^ask$',
      answers: [{ items: [{ call: 'shell', args: { command: ['touch', 'one'] } }] }, { items: [{ text: 'done' }] }],
    },
    {
      when: '^edit$',
      answers: [
        { items: [{ call: 'shell', args: { command: ['apply_patch', PATCH] } }] },
        { items: [{ text: 'done' }] },
      ],
    },
  ],
  otherwise: { items: [{ delayMs: 300 }, { text: 'done' }] },
};

const conform = (options: readonly string[], server: readonly string[], { env, work } = openHome()) => {
  const [program, args] = commandLine('conform', '--report', 'json', ...options, '--', ...server);
  const { status, stdout } = spawnSync(program, args, { env, cwd: work, encoding: 'utf8' });
  const { results } = JSON.parse(stdout) as { results: { id: string; revision: string; verdict: string }[] };
  const having = (verdict: string) =>
    results.filter((one) => one.verdict === verdict).map(({ id, revision }) => `${id}@${revision}`);
  return { status, failed: having('failed'), passed: having('passed').length };
};

it('passes our own daemon, in each revision', () => {
  const [program, args] = commandLine('mcp-server');
  const { passed, ...rest } = conform([], [program, ...args]);
  expect(rest).toEqual({ status: 0, failed: [] });
  expect(passed).toBeGreaterThanOrEqual(300);
});

it('passes our own tasks, and our own agent', () => {
  const home = openHome();
  const [slow, asks] = ['slow', 'ask'].map((prompt) => ['--tool', 'codex', '--arguments', JSON.stringify({ prompt })]);
  const daemon = commandLine(
    'mcp-server',
    '--engine',
    'native',
    '-a',
    'untrusted',
    '--task-after',
    '0',
    ...scripted(home, SCRIPT),
  );
  const tasks = conform(
    ['--protocol', 'tasks', '--level', 'MUST', ...(slow ?? []), ...(asks ?? [])],
    daemon.flat(),
    home,
  );
  expect(tasks).toEqual({ status: 0, failed: [], passed: expect.any(Number) });
  expect(tasks.passed).toBeGreaterThanOrEqual(75);
  home.write('work/a.txt', 'one\ntwo\n');
  const own = commandLine('acp', '--engine', 'native', '-a', 'untrusted', ...scripted(home, SCRIPT));
  const prompts = ['slow', 'ask', 'edit'].flatMap((text) => ['--prompt', text]);
  const agent = conform(['--protocol', 'acp', '--level', 'MUST', ...prompts], own.flat(), home);
  expect(agent).toEqual({ status: 0, failed: [], passed: expect.any(Number) });
  expect(agent.passed).toBeGreaterThanOrEqual(95);
});

it('finds in a server of the TypeScript SDK what it does not answer', () => {
  const server = [join(installed('memory'), 'mcp-server-memory')];
  const { status, failed } = conform(['--only', 'invalid-*', '--only', 'tools-list-*', '--only', 'batch*'], server);
  expect(status).toBe(1);
  expect(failed).toEqual(
    expect.arrayContaining(['invalid-broken-json@2025-11-25', 'tools-list-bad-cursor@2025-11-25']),
  );
  expect(failed.filter((id) => id.startsWith('tools-list-')).length).toBeLessThan(4);
});
