/** The commands on tapes, with a tape on a real NATS server. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandLine } from '../../support/daemon/peer';
import { removeFolder } from '../../support/files';
import { type Home, openHome, removeHomes } from '../../support/home';
import { endNatsServers, startNats } from '../../support/nats/natsServer';
import { needs } from '../../support/needs/needs';
import { until } from '../../support/processes';
import { closePrograms, startCodexRx } from '../../support/servers/httpPrograms';

const { it } = needs('nats-server');

const ECHO = "process.stdin.on('data', (data) => process.stdout.write(data))";
const LINE = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

const httpServers: Server[] = [];
afterEach(() => {
  closePrograms();
  for (const server of httpServers.splice(0)) server.closeAllConnections();
  removeHomes();
});

const home = mkdtempSync(path.join(tmpdir(), 'codex-rx-nats-'));
afterAll(async () => {
  await endNatsServers();
  await removeFolder(home);
});

/** Runs the program; a server in this process would wait for it, ours is one of its own. */
const run = (input: string, ...args: string[]) => {
  const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: home, NATS_USER: 'ann', NATS_PASSWORD: 'geheim' };
  const { status, stdout, stderr } = spawnSync(...commandLine(...args), { env, input, encoding: 'utf8' });
  return { status, stdout, stderr };
};

it('records to a tape of the team, counts, compares, lists and removes it, and names what went wrong', async () => {
  const { address } = await startNats({ config: 'authorization { user: ann, password: geheim }' });
  const tape = `${address}/echo`;
  const recorded = run(LINE, 'record', '-o', tape, '--', process.execPath, '-e', ECHO);
  expect(recorded).toMatchObject({ status: 0, stdout: LINE });
  expect(recorded.stderr).toMatch(/echo: 1 lines from the client, 1 from the server, .* bytes/);
  expect(run('', 'stats', tape).stdout).toMatch(/in +1 +41/);
  expect(run('', 'tapes', 'ls', address).stdout).toMatch(/^\d{4}-.*Z +\d+ {2}echo\n$/);
  expect(run('', 'diff', tape, tape)).toMatchObject({ status: 0, stdout: expect.stringContaining('SAME') });
  expect(run('', 'tapes', 'rm', tape)).toMatchObject({ status: 0, stdout: `removed ${tape}\n` });
  const missing = run('', 'stats', tape);
  expect(missing).toMatchObject({ status: 2, stderr: expect.stringContaining('there is no tape echo') });
  const refused = run(LINE, 'record', '-o', 'nats://ann:geheim@127.0.0.1/x', '--', process.execPath, '-e', ECHO);
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('holds no user or password') });
  expect(refused.stderr).not.toContain('geheim');
});

it('sends no secret to a tape that is redacted', async () => {
  const { address } = await startNats();
  const secret = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"token":"sk-${'a1B2'.repeat(10)}"}}\n`;
  const target = path.join(home, 'redacted.jsonl');
  expect(run(secret, 'record', '--redact', '-o', `${address}/r`, '--', process.execPath, '-e', ECHO).status).toBe(0);
  expect(run('', 'tapes', 'cp', `${address}/r`, target)).toMatchObject({ status: 0 });
  expect(readFileSync(target, 'utf8')).toContain('"redacted":true');
  expect(readFileSync(target, 'utf8')).not.toContain('a1B2');
});

it('serves and records itself; without the server it does not start', async () => {
  const { address } = await startNats();
  expect(run(LINE, 'mcp-server', '--record', `${address}/own`)).toMatchObject({ status: 0, stderr: '' });
  expect(run('', 'stats', `${address}/own`)).toMatchObject({ status: 0 });
  const refused = run(LINE, 'mcp-server', '--record', 'nats://127.0.0.1:1/own');
  expect(refused).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('name another file by --record'),
  });
});

it('draws a tape while it is recorded', async () => {
  const { address } = await startNats();
  expect(run(LINE, 'record', '-o', `${address}/live`, '--', process.execPath, '-e', ECHO)).toMatchObject({ status: 0 });
  const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: home };
  const following = spawn(...commandLine('diagram', '--follow', `${address}/live`), {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  following.stdout.on('data', (data) => {
    text += data;
  });
  await until(() => text.split('\n').length > 2, 'what is on the tape');
  run(LINE, 'record', '-o', `${address}/live`, '--', process.execPath, '-e', ECHO);
  await until(() => text.split('\n').length > 4, 'what comes');
  following.kill('SIGTERM');
  const [code] = await once(following, 'exit');
  expect(code).toBe(0);
  expect(text.split('\n').map((line) => line.slice(8).trimEnd())).toEqual([
    ...['p request  ──▶ ping', 'Q question ◀── ping'],
    ...['p request  ──▶ ping', 'Q question ◀── ping'],
    '',
  ]);
});

/** A server of revision 2026-07-28 that answers each request with its method. */
const startHttp = async (): Promise<string> => {
  const server = createServer((request, response) => {
    request.once('data', (body: Buffer) => {
      const { id, method } = JSON.parse(body.toString());
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { method } }));
    });
  }).unref();
  httpServers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
};

const post = async (url: string, method: string): Promise<string> => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return (
    await fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }) })
  ).text();
};

const recordHttp = (own: Home, tape: string, url: string) =>
  startCodexRx(own, 'record', '--http', '0', '-o', tape, '--', url);

it('records a server over HTTP, a tape for each session; without the NATS server nothing listens', async () => {
  const { address } = await startNats();
  const server = await startHttp();
  const own = openHome();
  const recorder = recordHttp(own, `${address}/web`, server);
  const url = await recorder.found(/clients is (\S+)/);
  const bodies = [await post(url, 'initialize'), await post(url, 'ping'), await post(url, 'initialize')];
  expect(bodies.map((body) => JSON.parse(body).result)).toEqual([
    ...[{ method: 'initialize' }, { method: 'ping' }, { method: 'initialize' }],
  ]);
  const { code, stderr } = await recorder.end();
  expect([code, stderr]).toEqual([0, expect.stringMatching(/web: 2 lines from the client, 2 from the server/)]);
  expect(run('', 'tapes', 'ls', address).stdout).toMatch(/ web\n.* web-2\n/);
  expect(run('', 'check', `${address}/web`).stdout).toContain('2 calls');

  const refused = await recordHttp(own, 'nats://127.0.0.1:1/web', server).ended;
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('nats://127.0.0.1:1')]);
  expect(refused.stderr).not.toContain('clients is');
});
