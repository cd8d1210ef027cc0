/** The real program checks real processes: how they begin and end, and what becomes of a run. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { filter, firstValueFrom, interval } from 'rxjs';
import { commandLine } from '../../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../../support/home';

jest.setTimeout(60_000);
afterEach(removeHomes);

/** Prints a banner, leaves a trace for what it cannot read, and stays whatever happens; a server of the word `good` does none of that. */
const SERVER = `
const good = process.argv[2] === 'good';
if (!good) {
  console.log(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hello' } }));
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {});
  setInterval(() => {}, 1000);
}
const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  try {
    const { id, method, params } = JSON.parse(line);
    if (method === 'initialize')
      answer(id, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'example', version: '1' } });
    else if (method === 'ping') answer(id, {});
    else if (id !== undefined && method !== undefined)
      console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'x' } }));
  } catch (error) {
    if (!good) console.error(error.stack);
  }
});
`;

/** An agent that calls the servers it is given as a web page does, and prints the status on stderr. */
const PAGE = `
const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') answer(id, { protocolVersion: 1, agentInfo: { name: 'page', version: '1' } });
  for (const server of params?.mcpServers ?? []) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize' });
    const response = await fetch(server.args[2], { method: 'POST', headers: { origin: 'http://example.com' }, body });
    console.error('status ' + response.status);
  }
  if (method === 'session/new') answer(id, { sessionId: 's' });
  if (method === 'session/prompt') answer(id, { stopReason: 'end_turn' });
});
`;

const OF_PROCESSES = ['end-*', 'signal-*', 'bytes-*', 'silent-start', 'no-traces'].flatMap((pattern) => [
  '--only',
  pattern,
]);

const checkFor = (seconds: number, { env, work }: Home, args: readonly string[]) => {
  const [program, rest] = commandLine('conform', '--timeout', `${seconds}`, '--jobs', '4', ...args);
  const { status, stdout, stderr } = spawnSync(program, rest, { env, cwd: work, encoding: 'utf8' });
  return { status, stdout, stderr };
};

/** A server that fails costs a second for each case. */
const check = (home: Home, ...args: string[]) => checkFor(1, home, args);

const withServer = () => {
  const home = openHome();
  return { home, server: ['--', process.execPath, home.write('work/server.cjs', SERVER)] };
};

const failedIn = (stdout: string): string[] =>
  JSON.parse(stdout)
    .results.filter(({ verdict }: { verdict: string }) => verdict === 'failed')
    .map(({ id }: { id: string }) => id)
    .sort();

describe('codex-rx conform', () => {
  it('passes a process that ends as it must', () => {
    const { home, server } = withServer();
    const { status, stdout, stderr } = check(home, ...OF_PROCESSES, ...server, 'good');
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'codex-rx conform: example 1 speaks 2025-11-25\n' });
    expect(stdout).toMatch(/example 1 conforms: \d+ passed\n$/);
  });

  it('finds a process that stays, and keeps its sessions as tapes', () => {
    const { home, server } = withServer();
    const { status, stdout } = check(home, '--report', 'json', '--record', 'failed', ...OF_PROCESSES, ...server);
    const found = [
      'end-of-input',
      'end-of-input-after-garbage',
      'end-of-input-at-once',
      'end-of-input-exit-code',
      'no-traces',
      'signal-int',
      'signal-term',
      'silent-start',
    ];
    expect({ status, failed: failedIn(stdout) }).toEqual({ status: 1, failed: found });
    expect(readdirSync(join(home.work, 'failed')).sort()).toEqual(found.map((id) => `${id}@2025-11-25.jsonl`).sort());
    const [program, args] = commandLine('check', 'failed/signal-term@2025-11-25.jsonl');
    expect(spawnSync(program, args, { env: home.env, cwd: home.work, encoding: 'utf8' }).status).not.toBe(2);
    expect(readFileSync(join(home.work, 'failed', 'signal-term@2025-11-25.jsonl'), 'utf8')).toContain('"dir":"in"');
  });

  it('reports what it has checked when it is interrupted', async () => {
    const { home, server } = withServer();
    const [program, args] = commandLine('conform', '--jobs', '1', '--record', 'failed', ...server);
    const child = spawn(program, args, { env: home.env, cwd: home.work, stdio: ['ignore', 'pipe', 'ignore'] });
    const printed = text(child.stdout);
    const failed = interval(20).pipe(filter(() => existsSync(join(home.work, 'failed'))));
    await firstValueFrom(failed);
    child.kill('SIGINT');
    const [status] = await once(child, 'exit');
    expect(status).toBe(130);
    expect(await printed).toMatch(/FAILED .*\nexample 1 was checked in part: .*\d+ failed.*, \d+ not checked\n$/s);
  });

  it('prints within seconds what it waits for, and ends at once when it is interrupted', async () => {
    const { env, work, write } = openHome();
    const server = write('work/ready.cjs', "console.log('Ready'); setInterval(() => {}, 1000);");
    const [program, args] = commandLine('conform', '--', process.execPath, server);
    const child = spawn(program, args, { env, cwd: work, stdio: ['ignore', 'ignore', 'pipe'] });
    const [first] = await once(child.stderr, 'data');
    expect(`${first}`).toBe(
      'codex-rx conform: no response to initialize for 3 s: it sent "Ready", which is no JSON-RPC\n',
    );
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([143, null]);
  });

  it('takes known failures, and refuses what it cannot check', () => {
    const { home, server } = withServer();
    home.write('work/known.txt', 'silent-start # its banner\n');
    expect(check(home, '--only', 'silent-start', '--expect', 'known.txt', ...server)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('known: silent-start@2025-11-25 (MUST)'),
    });
    expect(check(home, '--', 'no-such-program-4711')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('could not be started'),
    });
  });

  it('passes our own agent, and names the tape of a failure as its place', () => {
    const { home, server } = withServer();
    const [program, args] = commandLine('acp');
    const { status, stdout } = check(home, '--protocol', 'acp', '--only', 'acp-initialize*', '--', program, ...args);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/conforms: \d+ passed\n$/) });
    const sarif = check(home, '--report', 'sarif', '--record', 'failed', '--only', 'end-of-input', ...server).stdout;
    expect(JSON.parse(sarif).runs[0].results[0].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'failed/end-of-input@2025-11-25.jsonl' },
      region: { startLine: expect.any(Number) },
    });
    expect(check(home, '--', program, ...args).stderr).toContain(
      'if it is an agent that speaks ACP, add --protocol acp',
    );
  });

  it('serves no web page with the servers that it gives to an agent', () => {
    const home = openHome();
    const agent = [
      '--prompt',
      'x',
      '--only',
      'acp-mcp-stdio',
      '--record',
      'failed',
      '--',
      process.execPath,
      '-e',
      PAGE,
    ];
    const { stdout } = check(home, '--protocol', 'acp', ...agent);
    expect(stdout).toContain('it does not connect to the server over stdio');
    const tape = readdirSync(join(home.work, 'failed'))[0] ?? '';
    expect(readFileSync(join(home.work, 'failed', tape), 'utf8')).toContain('status 403');
  });

  it('passes our own daemon', () => {
    const [program, args] = commandLine('mcp-server');
    const own = [...OF_PROCESSES, '--only', 'line-*', '--', program, ...args];
    const { status, stdout } = checkFor(30, openHome(), own);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/conforms: \d+ passed\n$/) });
  });
});
