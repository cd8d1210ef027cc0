/** An executor and a daemon behind NATS, and hostile clients of the same server. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filter, firstValueFrom, lastValueFrom, map, mergeMap, of, ReplaySubject, type Subscription } from 'rxjs';
import { natsBackend } from '../../../src/fleet/backend/executorsInFleet';
import { KIND_HEADER } from '../../../src/fleet/executor/busMessages';
import { EVENTS_HEADER } from '../../../src/fleet/executor/eventMessage';
import { findMember } from '../../../src/fleet/executor/member';
import { execSubjects } from '../../../src/fleet/executor/subjects';
import { connectNats } from '../../../src/fleet/link/connectNats';
import type { NatsLink } from '../../../src/fleet/link/natsLink';
import { openNatsTape } from '../../../src/fleet/tapes/openNatsTape';
import { readNatsTape } from '../../../src/fleet/tapes/readNatsTape';
import type { ProcessEvent } from '../../../src/protocol/exec/process';
import { silentLog } from '../../../src/protocol/log';
import { NATS_DEFAULTS } from '../../../src/settings/readNats';
import { noBackpressure } from '../../../src/streams/backpressure';
import type { TapeFile } from '../../../src/tapes/format/tape';
import { commandLine, type Json } from '../../support/daemon/peer';
import { openHome, removeHomes } from '../../support/home';
import { endExecutors, startExecutor } from '../../support/nats/natsExecutor';
import { endNatsServers, type NatsServer, startNats } from '../../support/nats/natsServer';
import { needs } from '../../support/needs/needs';
import { gone, until } from '../../support/processes';

const { it } = needs('nats-server');

const SUBJECTS = execSubjects(NATS_DEFAULTS.prefix);

let server: NatsServer;
let [base, workspace, outside] = ['', '', ''];
const subscriptions: Subscription[] = [];

beforeAll(async () => {
  server = await startNats();
});
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-')));
  [workspace, outside] = [join(base, 'workspace'), join(base, 'outside')];
  for (const folder of [workspace, outside]) mkdirSync(folder);
});
afterEach(async () => {
  for (const one of subscriptions.splice(0)) one.unsubscribe();
  await endExecutors();
  await removeHomes();
  rmSync(base, { recursive: true, force: true });
});
afterAll(endNatsServers);

const openLink = (): Promise<NatsLink> =>
  new Promise((resolve, reject) => {
    const link$ = connectNats({ address: server.address, settings: NATS_DEFAULTS, log: silentLog });
    subscriptions.push(link$.subscribe({ next: resolve, error: reject }));
  });

const statusOf = (link: NatsLink, name: string) => firstValueFrom(findMember(link, name));

/** A client after its handshake, which then writes whatever it likes. */
const openClient = async (link: NatsLink, executor: string) => {
  const { instance } = await statusOf(link, executor);
  const connection = randomUUID();
  const subject = SUBJECTS.calls({ executor, instance, connection });
  const answer$ = new ReplaySubject<Json>(); // the wire from the executor
  const answers = link
    .subscribe({ subject: SUBJECTS.client(connection) })
    .pipe(map(({ data }) => JSON.parse(Buffer.from(data).toString()) as Json));
  subscriptions.push(answers.subscribe(answer$));
  const send = (message: Json, headers = {}) =>
    link.publish({ subject, data: Buffer.from(JSON.stringify(message)), headers });
  const call = (id: number, method: string, params: Json, headers = {}): Promise<Json> => {
    send({ id, method, params }, headers);
    return firstValueFrom(answer$.pipe(filter((one) => one.id === id)));
  };
  await call(0, 'initialize', { clientName: 'spec' }, { [KIND_HEADER]: 'begin' });
  send({ method: 'initialized', params: {} });
  return call;
};

needs('nats-server', 'sandbox').it(
  'an executor keeps its ceiling behind NATS, whatever a client asks for',
  async () => {
    await startExecutor(server.address, 'held', '--root', workspace, '--deny-method', 'fs/re*');
    const call = await openClient(await openLink(), 'held');
    const permissions = {
      type: 'managed',
      network: 'enabled',
      file_system: {
        type: 'restricted',
        entries: [{ path: { type: 'special', value: { kind: 'root' } }, access: 'write' }],
      },
    };
    const sandbox = { permissions, windowsSandboxLevel: 'disabled', cwd: `file://${workspace}` };
    const script = `echo x > ${outside}/new; echo "<$PATH><$HIDDEN_TOKEN>" > in; echo x > done`;
    const envPolicy = { inherit: 'all', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] };
    const own = { cwd: workspace, env: {}, envPolicy, tty: false, sandbox };
    const started = await call(1, 'process/start', { processId: 'p', argv: ['/bin/sh', '-c', script], ...own });
    expect(started.error).toBeUndefined();
    await until(() => existsSync(join(workspace, 'done')), 'the end of the script');
    expect(existsSync(join(outside, 'new'))).toBe(false);
    expect(readFileSync(join(workspace, 'in'), 'utf8')).toMatch(/^<.+><>\n$/);
    const write = (id: number, path: string) => call(id, 'fs/writeFile', { path, dataBase64: 'eA==' });
    expect((await write(2, join(workspace, 'new'))).result).toEqual({});
    expect((await write(3, join(outside, 'new'))).error.message).toMatch(/\(--root\)$/);
    const read = await call(4, 'fs/readFile', { path: '/etc/hostname' });
    expect(read.error.message).toMatch(/is not allowed by this exec-server/);
    const asked = { method: 'GET', url: server.address.replace('nats', 'http'), requestId: 'r' };
    expect((await call(5, 'http/request', asked)).error.message).toMatch(/--allow-network opens it$/);
  },
);

it('an executor refuses a process whose id would be no subject, and stays connected', async () => {
  await startExecutor(server.address, 'named');
  const link = await openLink();
  const call = await openClient(link, 'named');
  const start = (id: number, processId: string) =>
    call(id, 'process/start', { processId, argv: ['/bin/true'], cwd: '/', env: {}, tty: false });
  expect((await start(1, 'x'.repeat(10_000))).error.message).toMatch(/is too long: 1024/);
  expect((await start(2, '* > . \u0000')).result).toMatchObject({ processId: '* > . \u0000' });
  expect(readFileSync(join(server.folder, 'log'), 'utf8')).not.toMatch(/maximum control line/i);
});

/** Sends messages as they stand, which no client would. */
const sendRaw = async (messages: readonly [subject: string, headers: string, data: string][]): Promise<void> => {
  const socket = connect(server.port, '127.0.0.1');
  const texts = messages.map(([subject, headers, data]) => {
    const [head, all] = [Buffer.byteLength(headers), Buffer.byteLength(headers + data)];
    return `HPUB ${subject} _INBOX.x ${head} ${all}\r\n${headers}${data}\r\n`;
  });
  socket.write(`CONNECT {"verbose":false,"headers":true}\r\n${texts.join('')}PING\r\n`);
  await once(socket, 'data'); // INFO
  await until(() => socket.bytesRead > 0, 'the server');
  socket.end();
  await once(socket.resume(), 'close');
};

it('an executor serves on after messages of any shape on each of its subjects, and prints nothing of them', async () => {
  const executor = await startExecutor(server.address, 'shaken');
  let printed = '';
  executor.stdout?.on('data', (text) => {
    printed += text;
  });
  const link = await openLink();
  const { instance } = await statusOf(link, 'shaken');
  const calls = (connection: string) => SUBJECTS.calls({ executor: 'shaken', instance, connection });
  const subjects = [SUBJECTS.status('shaken'), '$SRV.PING', calls('c'), calls('>'), calls('*'), calls('\u00a0')];
  const begin = `NATS/1.0\r\n${KIND_HEADER}: begin\r\n\r\n`;
  const headers = ['NATS/1.0\r\nbad key: x\r\n\r\n', 'NATS/1.0\r\nA: 1\nB: 2\r\n\r\n', '\u0000\u0001', begin];
  const datas = ['', '\u0000{"', '['.repeat(100_000), '{"id":1,"method":"initialize","params":{"clientName":[]}}'];
  await sendRaw(
    subjects.flatMap((subject) =>
      headers.flatMap((head) => datas.map((data): [string, string, string] => [subject, head, data])),
    ),
  );
  expect(await statusOf(link, 'shaken')).toMatchObject({ executor: 'shaken', instance });
  const call = await openClient(link, 'shaken');
  expect((await call(1, 'fs/readFile', { path: '/nowhere' })).error.message).toMatch(/No such file/);
  expect(printed).toBe('');
});

it.each([
  ['more events are missing than can be', '4000000000000000 9 o1', /4000000000000000 are missing, with \d bytes/],
  ['its numbers fit each other', '4000000000000000 4100000000000000 o1', /event \d+ came after a later one/],
])('a process with a forged event fails and is terminated, not silenced: %s', async (_, header, reason) => {
  await startExecutor(server.address, 'forged');
  const link = await openLink();
  const subject$ = new ReplaySubject<string>(1);
  const own = link.subscribe({ subject: SUBJECTS.eventsOfAll('forged') }).pipe(map(({ subject }) => subject));
  subscriptions.push(own.subscribe(subject$));
  const link$ = connectNats({ address: server.address, settings: NATS_DEFAULTS, log: silentLog });
  const backend = natsBackend({
    link$,
    executor: 'forged',
    newId: randomUUID,
    clientName: 'spec',
    idleMs: 10,
    clockMs: () => performance.now(),
    backpressure: noBackpressure,
    log: silentLog,
  });
  const argv = ['/bin/sh', '-c', 'echo $$; while :; do sleep 0.05; echo x; done'];
  const event$ = new ReplaySubject<ProcessEvent>();
  const process$ = backend.start({ argv, cwd: '/', env: { PATH: '/usr/bin:/bin' } });
  subscriptions.push(process$.pipe(mergeMap((one) => (one.kind === 'started' ? [] : [one]))).subscribe(event$));
  const first = await firstValueFrom(event$);
  const pid = Number(first.kind === 'output' && Buffer.from(first.chunk).toString());
  const headers = { [EVENTS_HEADER]: header };
  link.publish({ subject: await firstValueFrom(subject$), data: Buffer.from('y'), headers });
  expect(await lastValueFrom(event$)).toMatchObject({ kind: 'failed', reason: expect.stringMatching(reason) });
  await gone([pid]);
});

it('a tape is read past a stored message that looks as a status of the server', async () => {
  const link = await openLink();
  const file = await new Promise<TapeFile>((resolve, reject) => {
    const tape$ = openNatsTape({ link$: of(link), name: 'n', recorder: 'r' });
    subscriptions.push(tape$.subscribe({ next: resolve, error: reject }));
  });
  file.append(Buffer.from('{"t":0}\n'));
  file.close();
  expect(await firstValueFrom(file.settled$)).toBeUndefined();
  await sendRaw([['codex-rx.tapes.n', 'NATS/1.0 404 No Messages\r\n\r\n', '']]);
  const text = await firstValueFrom(readNatsTape(link, 'n').pipe(map((bytes) => Buffer.from(bytes).toString())));
  expect(text).toBe('{"t":0}\n');
});

it('a daemon prints nothing on stdout of what a server sends that lies', async () => {
  const liar = createServer((socket) => {
    socket.write('INFO {"server_id":"x","version":"2.10.0","proto":1,"headers":true,"max_payload":1048576}\r\n');
    socket.on('error', () => {});
    socket.on('data', (text) => {
      if (String(text).includes('PUB')) socket.write('x\n{"jsonrpc":"2.0","id":2,"result":{}}\n');
      else if (String(text).includes('PING')) socket.write('PONG\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(liar, 'listening');
  const home = openHome();
  const { port } = liar.address() as AddressInfo;
  home.write('.codex/config.toml', `thread_store = "nats://127.0.0.1:${port}"\n`);
  const [program, argv] = commandLine('mcp-server', '--engine', 'native');
  const env = { PATH: process.env.PATH, HOME: home.path, CODEX_HOME: join(home.path, '.codex') };
  const daemon = spawn(program, argv, { env });
  let [out, errors] = ['', ''];
  daemon.stdout.on('data', (text) => {
    out += text;
  });
  daemon.stderr.on('data', (text) => {
    errors += text;
  });
  const info = '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"me","version":"1"}}';
  daemon.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":${info}}\n`);
  daemon.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const params = '{"name":"codex","arguments":{"prompt":"hi"}}';
  daemon.stdin.write(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":${params}}\n`);
  await until(() => (out + errors).includes('reader closed'), 'the lie');
  daemon.kill('SIGKILL');
  await once(daemon, 'close');
  liar.close();
  expect(
    out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual([1]);
  expect(errors).not.toContain('\n{"jsonrpc"');
});
