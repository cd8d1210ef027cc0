/** The sample configuration of a server, as it stands: each role can do its work, and the server refuses the rest. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, headers, usernamePasswordAuthenticator } from '@nats-io/transport-node';
import { defer, firstValueFrom, lastValueFrom, type Observable, share, switchMap, tap, toArray } from 'rxjs';
import { natsBackend } from '../../src/fleet/backend/executorsInFleet';
import { kindHeader } from '../../src/fleet/executor/busMessages';
import { connectNats } from '../../src/fleet/link/connectNats';
import type { NatsLink, NatsStreamSpec } from '../../src/fleet/link/natsLink';
import { retryPassing } from '../../src/fleet/operators/retryPassing';
import { silentLog } from '../../src/protocol/log';
import { NATS_DEFAULTS } from '../../src/settings/readNats';
import { noBackpressure } from '../../src/streams/backpressure';
import { commandLine } from '../support/daemon/peer';
import { removeFolder } from '../support/files';
import { endExecutors, startExecutorIn } from '../support/nats/natsExecutor';
import { endNatsServers, type NatsServer, startNats } from '../support/nats/natsServer';
import { needs } from '../support/needs/needs';
import { until } from '../support/processes';

const { it } = needs('nats-server');

const INITIALIZE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"me","version":"1"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n';
const LINE = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
const MADE_BY_OPERATOR: NatsStreamSpec = {
  name: 'codex-rx-exec-build-1',
  subjects: ['codex-rx.events.build-1.>'],
  maxBytes: 10_000_000,
  maxAgeMs: 3_600_000,
  discard: 'old',
  replicas: 1,
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
  ...(role === 'watcher' && { NATS_JS_DOMAIN: 'FLEET' }),
});
const envOf = (role: Role) => ({ PATH: process.env.PATH, HOME: home, CODEX_HOME: home, ...loginOf(role) });

/** Runs the program in a role. */
const run = (role: Role, input: string, ...args: string[]) => {
  const options = { env: envOf(role), input, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(...commandLine(...args), options);
  return { status, stdout, stderr };
};

const children: ChildProcess[] = [];

/** Starts the program in a role; it is killed if the spec fails. */
const start = (role: Role, ...args: string[]) => {
  const child = spawn(...commandLine(...args), { env: envOf(role) });
  children.push(child);
  return child;
};
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

beforeAll(async () => {
  process.env.DAEMON_PASSWORD = PASSWORDS.daemon;
  process.env.EXECUTOR_PASSWORD = PASSWORDS['build-1'];
  process.env.WATCHER_PASSWORD = PASSWORDS.watcher;
  process.env.ADMIN_PASSWORD = PASSWORDS.admin;
  server = await startNats({ config: readFileSync('docs/examples/nats-server.conf', 'utf8') });
  const made = run(
    'admin',
    '',
    'exec-server',
    '--listen',
    server.address,
    '--name',
    'build-1',
    '--make-stream',
    '--stream-mb',
    '10',
  );
  if (made.stdout !== `${MADE_BY_OPERATOR.name}\n`) throw new Error(made.stderr);
  const line = commandLine('exec-server', '--listen', server.address, '--name', 'build-1', '--pool', 'linux');
  executor = spawn(...line, { env: envOf('build-1'), stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(executor, 'exit').then(([code]) => {
    throw new Error(`the executor ended with ${code}`);
  });
  await Promise.race([once(executor.stdout as NodeJS.ReadableStream, 'data'), ended]);
  ended.catch(() => {}); // it is killed at the end
});
afterAll(async () => {
  executor.kill('SIGKILL');
  await endExecutors();
  await endNatsServers();
  await removeFolder(home);
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

/** Asks the server as a role, on a connection of its own. */
const withLink = <T>(role: Role, run: (link: NatsLink) => Observable<T>): Promise<T> =>
  firstValueFrom(linkOf(role).pipe(switchMap(run)));

const backendOn = (link$: Observable<NatsLink>) =>
  natsBackend({
    link$,
    executor: 'build-1',
    newId: randomUUID,
    clientName: 'spec',
    clockMs: () => performance.now(),
    backpressure: noBackpressure,
    log: silentLog,
    idleMs: 10,
  });
const backendOf = (role: Role) => backendOn(linkOf(role));
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

it('lets a daemon see output as it is published, and that of no executor whose stream it may not read', async () => {
  const { NATS_USER: user, NATS_PASSWORD: pass, NATS_INBOX_PREFIX: inboxPrefix } = loginOf('daemon');
  const daemon = await connect({ servers: server.address, user, pass, inboxPrefix });
  const seen: string[] = [];
  daemon.subscribe('codex-rx.events.build-1.*.*', { callback: (_, message) => void seen.push(message.string()) });
  await daemon.flush();
  await lastValueFrom(backendOf('daemon').start(ECHO).pipe(toArray()));
  await until(() => seen.join('').includes('hi\n'), 'the output');
  for (const subject of ['codex-rx.events.build-2.*.*', 'codex-rx.events.>', 'codex-rx.tapes.*']) {
    const before = violations().length;
    daemon.subscribe(subject, { callback: () => {} });
    await until(() => violations().length > before, 'the refusal');
  }
  await daemon.close();
});

it('brings the output out of the stream to a daemon that may not subscribe to it, as of a configuration of before', async () => {
  const deny = 'permissions: { subscribe: { deny: "codex-rx.events.>" } }';
  const users = `{ user: daemon, password: p, ${deny} }, { user: build-1, password: p }`;
  const other = await startNats({ config: `authorization { users: [${users}] }` });
  const login = { NATS_USER: 'build-1', NATS_PASSWORD: 'p' };
  await startExecutorIn(login, other.address, 'build-1');
  const settings = { ...NATS_DEFAULTS, user: 'daemon', password: 'p' };
  const link$ = defer(() => connectNats({ address: other.address, settings, log: silentLog }));
  const events = await lastValueFrom(backendOn(link$).start(ECHO).pipe(toArray()));
  expect(JSON.stringify(events)).toContain('"closed"');
});

it('lets an executor neither change its stream, nor purge or remove it, nor read it', async () => {
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
  expect(await withLink('admin', (link) => link.findStream(MADE_BY_OPERATOR.name))).toEqual({
    name: MADE_BY_OPERATOR.name,
    maxAgeMs: 3_600_000,
  });
  expect(violations().slice(-subjects.length)).toEqual(subjects);
});

it('keeps an executor from any subject that it names in a request to itself, as that of the response', async () => {
  const login = usernamePasswordAuthenticator('build-1', PASSWORDS['build-1']);
  const captured = await connect({ servers: server.address, authenticator: login, inboxPrefix: '_INBOX_build-1' });
  captured.subscribe('codex-rx.exec.build-1', { callback: (_, message) => void message.respond(message.data) });
  const before = violations().length;
  const forged = ['codex-rx.threads.default.victim', `$JS.API.STREAM.DELETE.${MADE_BY_OPERATOR.name}`];
  for (const reply of forged) captured.publish('codex-rx.exec.build-1', '', { reply });
  await captured.flush();
  await until(() => violations().length >= before + forged.length, 'the refusals');
  await captured.close();
  expect(violations().slice(before)).toEqual(forged);
  expect(await withLink('admin', (link) => link.findStream(MADE_BY_OPERATOR.name))).toBeDefined();
});

it('keeps an executor from any subject that it names for the acknowledgement of its output', async () => {
  const threads = { ...MADE_BY_OPERATOR, name: 'codex-rx-threads-other', subjects: ['codex-rx.threads.other.*'] };
  await withLink('admin', (link) => link.ensureStream(threads));
  const login = usernamePasswordAuthenticator('build-1', PASSWORDS['build-1']);
  const captured = await connect({ servers: server.address, authenticator: login, inboxPrefix: '_INBOX_build-1' });
  const event = 'codex-rx.events.build-1.session.process';
  for (const reply of ['$JS.API.STREAM.PURGE.codex-rx-threads-other', 'codex-rx.threads.other.victim'])
    captured.publish(event, '{}', { reply });
  expect((await captured.request(event, '{}')).json()).toMatchObject({ stream: MADE_BY_OPERATOR.name }); // after the others
  await captured.close();
  expect(await withLink('admin', (link) => link.countMessages(threads.name, '>'))).toEqual({});
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
    const daemon = start(role, 'mcp-server', '--engine', 'native');
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
  expect(await answer('watcher')).toMatch(/thread store .* cannot be used: the stream codex-rx-threads-default: /);
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
  expect(violations()).toEqual(expect.arrayContaining(['codex-rx.exec.build-1', 'codex-rx.tapes.two']));
});

/** Misuses a right to read: names a subject for the server's response, or for the deliveries of a consumer. */
const misuse = async (role: Role, subjects: readonly string[]): Promise<void> => {
  const { NATS_USER: user, NATS_PASSWORD: pass, NATS_INBOX_PREFIX: inboxPrefix } = loginOf(role);
  const connection = await connect({ servers: server.address, user, pass, inboxPrefix });
  for (const api of ['$JS.API', '$JS.FLEET.API']) {
    for (const subject of subjects) {
      const config = { deliver_subject: subject, deliver_policy: 'all', ack_policy: 'none' };
      const ask = (name: string, body: object) =>
        connection.publish(`${api}.${name}`, JSON.stringify(body), { reply: subject });
      ask('STREAM.MSG.GET.codex-rx-tapes', { last_by_subj: 'codex-rx.tapes.mine' });
      ask('STREAM.INFO.codex-rx-tapes', {});
      ask('CONSUMER.CREATE.codex-rx-tapes', { stream_name: 'codex-rx-tapes', config });
    }
  }
  await connection.flush();
  await connection.close();
};

it('keeps a watcher from ending a recording, from threads and from copies of tapes', async () => {
  const [mine, thread] = [`${server.address}/mine`, 'codex-rx.threads.default.00000000-0000-4000-8000-000000000001'];
  const client = start('daemon', 'record', '-o', mine, '--', 'cat');
  let received = '';
  client.stdout.on('data', (data) => {
    received += data;
  });
  client.stdin.write(LINE);
  await until(() => received === LINE, 'the first line');
  await until(() => run('watcher', '', 'stats', mine).stdout.includes(' 1 '), 'the tape');
  const countAll = () => withLink('daemon', (link) => link.countMessages('codex-rx-tapes', '>'));
  const before = await countAll();
  await misuse('watcher', ['codex-rx.tapes.mine', 'codex-rx.tapes.other', thread]);
  expect(await countAll()).toEqual(before);
  expect(await withLink('daemon', (link) => link.lastOf('codex-rx-threads-default', thread))).toBeUndefined();
  client.stdin.end(LINE);
  const [[status]] = await Promise.all([once(client, 'close')]);
  expect([status, received]).toEqual([0, LINE + LINE]);
  expect(run('watcher', '', 'stats', mine).stdout).toMatch(/in +2 /);
});

it('lets an executor ask whether the client of a session is there, and has no violation by the response', async () => {
  const before = violations().length;
  const client = linkOf('daemon').pipe(
    switchMap((link) => link.subscribe({ subject: 'codex-rx.client.there' })),
    tap(({ respond }) => respond(new Uint8Array())),
  );
  const kept = client.subscribe();
  const request = { subject: 'codex-rx.client.there', data: new Uint8Array(), timeoutMs: 1_000 };
  const response = await withLink('build-1', (link) => link.request(request).pipe(retryPassing(5_000))); // until the daemon has subscribed
  expect(response.data).toHaveLength(0);
  kept.unsubscribe();
  expect(violations()).toHaveLength(before);
});

it('keeps an executor from having a daemon write with the rights of the daemon, as the subject of a response', async () => {
  const tapes = () => withLink('daemon', (link) => link.countMessages('codex-rx-tapes', '>'));
  const before = await tapes();
  const backend = natsBackend({
    link$: linkOf('daemon'),
    executor: 'build-1',
    newId: () => 'known',
    clientName: 'spec',
    clockMs: () => performance.now(),
    backpressure: noBackpressure,
    log: silentLog,
    idleMs: 10,
  });
  const life = backend.start({ argv: ['/bin/sleep', '60'], cwd: '/', env: {} }).pipe(share());
  const kept = life.subscribe();
  await firstValueFrom(life);
  await pingFromExecutor();
  await lastValueFrom(backend.start(ECHO)); // whose messages come after the pings
  kept.unsubscribe();
  expect(await tapes()).toEqual(before);
});

const pingFromExecutor = async (): Promise<void> => {
  const login = usernamePasswordAuthenticator('build-1', PASSWORDS['build-1']);
  const captured = await connect({ servers: server.address, authenticator: login, inboxPrefix: '_INBOX_build-1' });
  const ping = toMsgHeaders(kindHeader('ping'));
  for (const reply of ['codex-rx.tapes.forged', '$JS.API.STREAM.PURGE.codex-rx-threads-default'])
    captured.publish('codex-rx.client.known', '', { reply, headers: ping });
  await captured.flush();
  await captured.close();
};

const toMsgHeaders = (given: Readonly<Record<string, string>>) => {
  const made = headers();
  for (const [name, value] of Object.entries(given)) made.set(name, value);
  return made;
};
