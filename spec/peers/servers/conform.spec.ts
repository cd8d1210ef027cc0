/** Whole runs of `conform`: of our own daemon, which passes, and of a server that many people use. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { commandLine } from '../../support/daemon/peer';
import { openHome, removeHomes } from '../../support/home';
import { INSTALL_MS, installed } from '../installed';

jest.setTimeout(600_000);
beforeAll(() => void installed('memory'), INSTALL_MS);
afterEach(removeHomes);

const conform = (options: readonly string[], server: readonly string[]) => {
  const { env, work } = openHome();
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

it('finds in a server of the TypeScript SDK what it does not answer', () => {
  const server = [join(installed('memory'), 'mcp-server-memory')];
  const { status, failed } = conform(['--only', 'invalid-*', '--only', 'tools-list-*', '--only', 'batch*'], server);
  expect(status).toBe(1);
  expect(failed).toEqual(
    expect.arrayContaining(['invalid-broken-json@2025-11-25', 'tools-list-bad-cursor@2025-11-25']),
  );
  expect(failed.filter((id) => id.startsWith('tools-list-')).length).toBeLessThan(4);
});
