/** What is measured and tried with a tape, on servers that many people use: coverage, drift, load, changed requests. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { commandLine } from '../../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../../support/home';
import { INSTALL_MS, installed } from '../installed';

jest.setTimeout(120_000);
beforeAll(() => {
  installed('everything');
  installed('filesystem');
}, 2 * INSTALL_MS);
afterEach(removeHomes);

const run = ({ env, work }: Home, ...args: string[]) => {
  const [program, rest] = commandLine(...args);
  const { status, stdout } = spawnSync(program, rest, { env, cwd: work, encoding: 'utf8' });
  return { status, stdout };
};

/** Records what a client gets of a server: its tools, and one call. */
const record = async (
  home: Home,
  tape: string,
  server: readonly string[],
  call: { name: string; arguments: object },
) => {
  const [command, args] = commandLine('record', '-q', '-o', tape, '--', ...server);
  const client = new Client({ name: 'peer', version: '0' }, { capabilities: {} });
  const { env, work: cwd } = home;
  await client.connect(new StdioClientTransport({ command, args, cwd, env, stderr: 'ignore' }));
  await client.listTools();
  await client.callTool({ ...call, arguments: { ...call.arguments } });
  await client.close();
};

const everything = () => [join(installed('everything'), 'mcp-server-everything')];

it('measures coverage, drift and load of a server', async () => {
  const home = openHome();
  await record(home, 'a.jsonl', everything(), { name: 'echo', arguments: { message: 'hi' } });
  await record(home, 'b.jsonl', [join(installed('filesystem'), 'mcp-server-filesystem'), home.work], {
    name: 'list_directory',
    arguments: { path: home.work },
  });
  const covered = run(home, 'check', 'a.jsonl', '--min-coverage', '50', '--report', 'json');
  const { coverage } = JSON.parse(covered.stdout);
  expect([covered.status, coverage.groups[0]]).toEqual([1, expect.objectContaining({ name: 'tools', covered: 1 })]);
  expect(coverage.groups[0].missing).toContain('get-tiny-image');
  expect(run(home, 'drift', 'a.jsonl', 'a.jsonl')).toEqual({ status: 0, stdout: 'SAME: nothing changed\n' });
  const drift = run(home, 'drift', 'a.jsonl', 'b.jsonl');
  expect([drift.status, drift.stdout]).toEqual([1, expect.stringContaining('- tool echo: it is gone\n')]);
  const load = run(
    home,
    'replay',
    'a.jsonl',
    '--times',
    '4',
    '--parallel',
    '2',
    '--report',
    'json',
    '--',
    ...everything(),
  );
  expect(JSON.parse(load.stdout)).toMatchObject({ same: true, runs: 4, differing: 0 });
});

it('tries a server with changed requests, and keeps what it finds as tapes', async () => {
  const home = openHome();
  await record(home, 'a.jsonl', everything(), { name: 'echo', arguments: { message: 'hi' } });
  const fuzz = ['fuzz', 'a.jsonl', '--runs', '3', '--report', 'json', '-o', 'fault.jsonl', '--', ...everything()];
  const { status, stdout } = run(home, ...fuzz);
  const { faults, changes } = JSON.parse(stdout) as { faults: { kind: string }[]; changes: number };
  expect(changes).toBe(30);
  expect(status).toBe(faults.length > 0 ? 1 : 0);
  expect(existsSync(join(home.work, 'fault.jsonl'))).toBe(faults.length > 0);
  expect(faults.map(({ kind }) => kind)).not.toContain('crash');
});
