/** The sample configuration of a server, as it stands: each role can do its work, and the server refuses the rest. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defer, firstValueFrom, lastValueFrom, switchMap, toArray } from 'rxjs';
import { natsBackend } from '../../src/executor/nats';
import { silentLog } from '../../src/log';
import { noBackpressure } from '../../src/streams';
import { connectNats, NATS_DEFAULTS } from '../../src/transport/nats';
import type { NatsStreamSpec } from '../../src/transport/nats/natsLink';
import { natsPackages } from '../../src/transport/nats/natsPackages';
import { endNatsServers, type NatsServer, startNats } from '../support/natsServer';
import { until } from '../support/processes';

const PROGRAM = path.resolve('bin/codex-rx.js');
const INITIALIZE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"me","version":"1"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n';
const LINE = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
const MADE_BY_OPERATOR: NatsStreamSpec = {
  ...{ name: 'codex-rx-exec-build-1', subjects: ['codex-rx.events.build-1.>'], maxBytes: 10_000_000 },
  ...{ maxAgeMs: 3_600_000, discard: 'old', replicas: 1 },
};
const PASSWORDS = { daemon: 'd', 'build-1': 'e', watcher: 'w', admin: 'a' };
type Role = keyof typeof PASSWORDS;

let server: NatsServer;
let executor: ChildProcess;
const home = mkdtempSync(path.join(tmpdir(), 'codex-rx-rights-'));

const loginOf = (role: Role) => ({
  NATS_USER: role,
  NATS_PASSWORD: PASSWORDS[role],
  NATS_INBOX_PREFIX: `_INBOX_${role}`,
});
const envOf = (role: Role) => ({ PATH: process.env.PATH, HOME: home, CODEX_HOME: home, ...loginOf(role) });

/** Runs the program in a role. */
const run = (role: Role, input: string, ...args: string[]) => {
  const options = { env: envOf(role), input, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], options);
  return { status, stdout, stderr };
};

beforeAll(async () => {
  process.env.DAEMON_PASSWORD = PASSWORDS.daemon;
  process.env.EXECUTOR_PASSWORD = PASSWORDS['build-1'];
  process.env.WATCHER_PASSWORD = PASSWORDS.watcher;
  process.env.ADMIN_PASSWORD = PASSWORDS.admin;
  server = await startNats({ config: readFileSync('docs/examples/nats-server.conf', 'utf8') });
  await firstValueFrom(linkOf('admin').pipe(switchMap((link) => link.ensureStream(MADE_BY_OPERATOR))));
  const args = [PROGRAM, 'exec-server', '--listen', server.address, '--name', 'build-1', '--pool', 'linux'];
  executor = spawn(process.execPath, args, { env: envOf('build-1'), stdio: ['ignore', 'pipe', 'inherit'] });
  await once(executor.stdout as NodeJS.ReadableStream, 'data');
});
afterAll(async () => {
  executor.kill('SIGKILL');
  await endNatsServers();
  rmSync(home, { recursive: true });
});

/** What the server has refused so far. */
const violations = () =>
  [...readFileSync(path.join(server.folder, 'log'), 'utf8').matchAll(/Violation.* Subject "([^"]+)"/g)].map(
    ([, subject]) => subject,
  );

const linkOf = (role: Role) => {
  const { NATS_USER: user, NATS_PASSWORD: password, NATS_INBOX_PREFIX: inbox } = loginOf(role);
  const settings = { ...NATS_DEFAULTS, user, password, inbox };
  return defer(() => connectNats({ address: server.address, settings, log: silentLog }));
};

const backendOf = (role: Role) =>
  natsBackend({
    link$: linkOf(role),
    ...{ executor: 'build-1', newId: randomUUID, clientName: 'spec', clockMs: () => performance.now() },
    ...{ backpressure: noBackpressure, log: silentLog, idleMs: 10 },
  });
const ECHO = { argv: ['/bin/echo', 'hi'], cwd: '/', env: {} };

it('lets a daemon record tapes and run commands, an executor run them, a watcher read tapes', async () => {
  const tape = `${server.address}/one`;
  expect(run('daemon', LINE, 'record', '-o', tape, '--', 'cat')).toMatchObject({ status: 0, stdout: LINE });
  expect(run('watcher', '', 'stats', tape)).toMatchObject({ status: 0, stderr: '' });
  expect(run('watcher', '', 'tapes', 'ls', server.address).stdout).toMatch(/ one\n$/);
  const events = await lastValueFrom(backendOf('daemon').start(ECHO).pipe(toArray()));
  expect(JSON.stringify(events)).toContain('"exited"');
  expect(violations()).toEqual([]);
});

it('lets an executor neither change its stream, nor purge or remove it, nor read it', async () => {
  const { connect, usernamePasswordAuthenticator } = natsPackages().core;
  const login = usernamePasswordAuthenticator('build-1', PASSWORDS['build-1']);
  const captured = await connect({ servers: server.address, authenticator: login, inboxPrefix: '_INBOX_build-1' });
  const calls = ['INFO', 'CREATE', 'UPDATE', 'PURGE', 'DELETE', 'MSG.DELETE', 'MSG.GET', 'RESTORE', 'SNAPSHOT'];
  const subjects = [
    ...calls.map((call) => `$JS.API.STREAM.${call}.${MADE_BY_OPERATOR.name}`),
    ...[`$JS.API.CONSUMER.CREATE.${MADE_BY_OPERATOR.name}`, 'codex-rx.events.build-2.s.p', 'codex-rx.tapes.one'],
  ];
  for (const subject of subjects)
    await expect(captured.request(subject, '{}', { timeout: 5_000 })).rejects.toThrow(/Permissions Violation/);
  await captured.close();
  const facts$ = linkOf('admin').pipe(switchMap((link) => link.findStream(MADE_BY_OPERATOR.name)));
  expect(await firstValueFrom(facts$)).toEqual({ name: MADE_BY_OPERATOR.name, maxAgeMs: 3_600_000 });
  expect(violations().slice(-subjects.length)).toEqual(subjects);
});

it('lets a daemon keep its threads there, and a watcher not', async () => {
  writeFileSync(path.join(home, 'script.json'), '{"scenes":[],"otherwise":{"items":[{"text":"plain"}]}}');
  const provider = `[model_providers.scripted]\nname = "s"\nwire_api = "scripted"\nscript = "${home}/script.json"\n`;
  writeFileSync(
    path.join(home, 'config.toml'),
    `thread_store = "${server.address}"\nmodel_provider = "scripted"\n${provider}`,
  );
  const call = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"codex","arguments":{"prompt":"hi"}}}\n';
  const answer = async (role: Role): Promise<string> => {
    const daemon = spawn(process.execPath, [PROGRAM, 'mcp-server', '--engine', 'native'], { env: envOf(role) });
    let text = '';
    daemon.stdout.on('data', (data) => {
      text += data;
    });
    daemon.stdin.write(INITIALIZE + call);
    await until(() => text.includes('"id":2'), 'the answer');
    daemon.stdin.end();
    await once(daemon, 'exit');
    return text;
  };
  expect(await answer('daemon')).toContain('"text":"plain"');
  const [{ id }] = JSON.parse(run('daemon', '', 'threads', '--json').stdout);
  const before = violations().length;
  expect(run('daemon', '', 'threads', 'rm', id)).toMatchObject({ status: 0 });
  expect(violations()).toHaveLength(before);
  expect(await answer('watcher')).toMatch(/thread store .* cannot be used: .*Permissions Violation/);
  rmSync(path.join(home, 'config.toml'));
});

it('refuses a daemon with the rights of a watcher, and names the subject', async () => {
  const tape = `${server.address}/two`;
  const reason = 'Permissions Violation for Publish to "codex-rx.tapes.two" (the server denies this login or subject';
  const refused = { status: 2, stdout: '', stderr: expect.stringContaining(reason) };
  expect(run('watcher', LINE, 'mcp-server', '--record', tape)).toMatchObject(refused);
  expect(run('watcher', LINE, 'record', '-o', tape, '--', 'cat')).toMatchObject(refused);
  expect(run('watcher', '', 'tapes', 'rm', `${server.address}/one`)).toMatchObject({ status: 2 });
  const events = await lastValueFrom(backendOf('watcher').start(ECHO).pipe(toArray()));
  expect(JSON.stringify(events)).toMatch(/Permissions Violation/);
  expect(violations()).toEqual(
    expect.arrayContaining([
      '$JS.API.STREAM.INFO.codex-rx-threads-default',
      '$JS.API.STREAM.PURGE.codex-rx-tapes',
      'codex-rx.exec.build-1',
      'codex-rx.tapes.two',
    ]),
  );
});
