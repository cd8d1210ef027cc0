/** The exec-server as built: what its client restricts, in the real sandbox. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine } from '../support/daemon/peer';
import { startExecServer } from '../support/exec/execPeer';
import { asOtherUser } from '../support/exec/otherUser';
import { needs } from '../support/needs/needs';
import { until } from '../support/processes';

type Server = Awaited<ReturnType<typeof startExecServer>>;

const special = (kind: string, access: string) => ({ path: { type: 'special', value: { kind } }, access });
const READ = special('root', 'read');
const PROJECT = special('project_roots', 'write');

const servers: Server[] = [];
let [base, workspace, outside] = ['', '', ''];

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-')));
  [workspace, outside] = [join(base, 'workspace'), join(base, 'outside')];
  for (const folder of [workspace, outside, join(workspace, '.git')]) mkdirSync(folder);
  writeFileSync(join(outside, 'kept'), 'kept');
});
afterEach(() => {
  for (const { child } of servers.splice(0)) child.kill('SIGKILL');
  delete process.env.CODEX_HOME;
  rmSync(base, { recursive: true, force: true });
});

const open = async (...args: string[]): Promise<Server> => {
  const server = await startExecServer(...args);
  servers.push(server);
  return server;
};

/** The sandbox of a client that works in the workspace. */
const sandboxOf = (entries: object[], own: object = { cwd: `file://${workspace}` }) => ({
  permissions: { type: 'managed', network: 'restricted', file_system: { type: 'restricted', entries } },
  windowsSandboxLevel: 'disabled',
  ...own,
});

/** The error output and the exit code of a script; or the error of its start. */
const runIn = async (server: Server, script: string, own: object) => {
  const { error } = await server.start('p', script, { cwd: workspace, ...own });
  if (error !== undefined) return error.message as string;
  await server.closed('p');
  const exited = server.of('p').find(({ method }) => method === 'process/exited');
  return { stderr: server.textOf('p', 'stderr'), exitCode: exited?.params.exitCode };
};

/** All files of a patch that is killed halfway, as they were; `args` and `own` put it into a sandbox. */
const killedPatch = async (args: readonly string[], own: object): Promise<void> => {
  const names = Array.from({ length: 200 }, (_, i) => `f${i}`);
  for (const name of names) writeFileSync(join(workspace, name), 'old');
  const content = (text: string) => ({ dataBase64: Buffer.from(text).toString('base64') });
  const changeOf = (name: string) => ({
    path: name,
    absolute: join(workspace, name),
    real: join(workspace, name),
    found: 'file',
    before: content('old'),
    after: content('new'),
  });
  const home = join(base, 'home');
  mkdirSync(home);
  process.env.CODEX_HOME = home;
  const journals = join(home, 'codex-rx/patches-inside');
  const server = await open(...args);
  let isDone = false;
  void server.call('fs/applyChanges', { changes: names.map(changeOf), ...own }).then(() => {
    isDone = true;
  });
  const isUnderWay = () => readdirSync(workspace).some((name) => name.endsWith('.old'));
  await until(() => isDone || isUnderWay(), 'the patch is under way, or has come to its end');
  const ended = once(server.child, 'exit');
  server.child.kill('SIGKILL');
  await ended;
  await open(...args);
  await until(() => readdirSync(journals).length === 0, 'the patch is rolled back, or ended');
  const contents = new Set(names.map((name) => readFileSync(join(workspace, name), 'utf8')));
  expect([contents.size, readdirSync(workspace).filter((name) => name.startsWith('.codex-rx-'))]).toEqual([1, []]);
};

needs('sandbox').describe('exec-server that is killed in the midst of a patch in a sandbox', () => {
  it('rolls it back at its next start, below a ceiling', () => killedPatch(['--root', workspace], {}));

  it('rolls it back at its next start, in a sandbox of its client', () =>
    killedPatch([], { sandbox: sandboxOf([READ, PROJECT]) }));
});

needs('sandbox').describe('exec-server with a sandbox of its client', () => {
  it.each([
    ['stopped', 'echo x > ../outside/new', true],
    ['did not stop', 'exit 3', false],
  ])('names the sandbox, and that it %s a process', async (_, script, sandboxDenied) => {
    const server = await open();
    const { result } = await server.start('p', script, { cwd: workspace, sandbox: sandboxOf([READ, PROJECT]) });
    await server.closed('p');
    const exited = server.of('p').find(({ method }) => method === 'process/exited');
    const read = await server.call('process/read', { processId: 'p' });
    expect([result, exited?.params.sandboxDenied, read.result?.sandboxDenied]).toEqual([
      { processId: 'p', sandboxType: 'linuxSeccomp' },
      sandboxDenied,
      sandboxDenied,
    ]);
  });

  it('lets a process write in the project, and read everything', async () => {
    const server = await open();
    const ended = await runIn(server, `cat ${outside}/kept > new`, { sandbox: sandboxOf([READ, PROJECT]) });
    expect(ended).toEqual({ stderr: '', exitCode: 0 });
    expect(readFileSync(join(workspace, 'new'), 'utf8')).toBe('kept');
  });

  it.each<[string, string, () => object]>([
    ['outside', 'echo x > ../outside/new', () => sandboxOf([READ, PROJECT])],
    ['by a link', 'ln -s ../outside out && echo x > out/new', () => sandboxOf([READ, PROJECT])],
    ['without a root', 'echo x > new', () => sandboxOf([READ])],
    ['in .git', 'echo x > .git/config', () => sandboxOf([READ, PROJECT])],
    [
      'where it is denied, and cannot read there',
      'cat ../outside/kept; echo x > ../outside/new',
      () => sandboxOf([READ, special('root', 'write'), { path: { type: 'path', path: outside }, access: 'none' }]),
    ],
    ['in the folder of the process', 'echo x > new', () => sandboxOf([READ, PROJECT], { cwd: outside })],
  ])('denies writing %s', async (_, script, sandbox) => {
    const server = await open();
    const ended = await runIn(server, script, { sandbox: sandbox() });
    expect(ended).toMatchObject({ stderr: expect.stringMatching(/Read-only file system|Permission denied/) });
    expect(readdirSync(outside)).toEqual(['kept']);
    expect(server.textOf('p')).not.toMatch(/kept/);
  });

  it('closes the network', async () => {
    const unrestricted = { type: 'managed', network: 'restricted', file_system: { type: 'unrestricted' } };
    const script = `echo x > ../outside/new; echo $CODEX_SANDBOX_NETWORK_DISABLED; grep -c : /proc/net/dev`;
    const server = await open();
    expect(await runIn(server, script, { sandbox: { permissions: unrestricted } })).toEqual({
      stderr: '',
      exitCode: 0,
    });
    expect(server.textOf('p')).toBe('1\n1\n');
    expect(readdirSync(outside)).toEqual(['kept', 'new']);
  });

  it('resolves a root that is a link', async () => {
    symlinkSync(outside, join(base, 'link'));
    const sandbox = sandboxOf([READ, PROJECT], { cwd: join(base, 'link') });
    expect(await runIn(await open(), 'echo x > ../outside/new', { sandbox })).toMatchObject({ exitCode: 0 });
  });

  it('restricts file methods in the same way', async () => {
    const server = await open();
    const sandbox = sandboxOf([READ, PROJECT, { path: { type: 'path', path: join(outside, 'kept') }, access: 'none' }]);
    const write = (path: string) => server.call('fs/writeFile', { path, dataBase64: 'eA==', sandbox });
    expect((await write(join(workspace, 'new'))).result).toEqual({});
    expect((await write(join(outside, 'new'))).error.message).toMatch(
      /^Read-only file system .* sandbox of the request/,
    );
    expect((await server.call('fs/readFile', { path: join(outside, 'kept'), sandbox })).error).toBeDefined();
    const opened = await server.call('fs/open', { handleId: 'h', path: workspace, sandbox });
    expect(opened.error.message).toBe('this exec-server does not support fs/open in a sandbox; read whole files');
    expect([readdirSync(workspace).includes('new'), readdirSync(outside)]).toEqual([true, ['kept']]);
  });

  it('starts nothing if it cannot keep what it is asked to', async () => {
    const server = await open();
    const glob = { path: { type: 'glob_pattern', pattern: '**/.env' }, access: 'none' };
    expect(await runIn(server, ':', { sandbox: sandboxOf([READ, glob]) })).toMatch(/does not support a glob/);
    expect(await runIn(server, ':', { sandbox: sandboxOf([PROJECT]) })).toMatch(/read the whole file system/);
    expect(await runIn(server, ':', { sandbox: sandboxOf([READ]), arg0: 'x' })).toMatch(/arg0 cannot be set/);
  });
});

needs('sandbox').describe('exec-server with a ceiling', () => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const write = (server: Server, path: string) => server.call('fs/writeFile', { path, dataBase64: base64('x') });

  it('lets processes and file methods write in its roots only, whatever a client asks for', async () => {
    const server = await open('--root', workspace);
    const wanted = special('root', 'write');
    const ended = await runIn(server, `echo x > in; echo x > ${outside}/new`, { sandbox: sandboxOf([wanted]) });
    expect(ended).toMatchObject({ stderr: expect.stringMatching(/outside\/new: Read-only file system/) });
    symlinkSync(outside, join(workspace, 'link'));
    expect((await write(server, join(workspace, 'new'))).result).toEqual({});
    for (const path of [join(outside, 'new'), join(workspace, 'link/new'), join(workspace, '.git/config')]) {
      expect((await write(server, path)).error.message).toMatch(
        /^Read-only file system .*only, less .git .*\(--root\)$/,
      );
    }
    expect((await server.call('fs/remove', { path: join(workspace, 'link/kept') })).error.code).toBe(-32603);
    expect(readdirSync(workspace).sort()).toEqual(expect.arrayContaining(['in', 'link', 'new']));
    expect(readdirSync(outside)).toEqual(['kept']);
  });

  it('lets files be read and listed, in blocks too', async () => {
    const server = await open('--sandbox', 'read-only');
    const path = join(outside, 'kept');
    expect((await server.call('fs/readFile', { path })).result).toEqual({ dataBase64: base64('kept') });
    expect((await server.call('fs/open', { handleId: 'h', path })).result).toEqual({ handleId: 'h' });
    expect((await server.call('fs/readBlock', { handleId: 'h', offset: 0, len: 9 })).result).toMatchObject({
      eof: true,
    });
    expect((await server.call('fs/close', { handleId: 'h' })).result).toEqual({});
    expect((await write(server, join(workspace, 'new'))).error.message).toMatch(/--sandbox read-only/);
  });

  it('keeps methods, the network and its secrets from its clients', async () => {
    const server = await open('--sandbox', 'read-only', '--deny-method', 'fs/re*');
    const { error } = await server.call('fs/readFile', { path: '/etc/hostname' });
    expect(error).toEqual({
      code: -32600,
      message: 'fs/readFile is not allowed by this exec-server: it was started with --deny-method fs/re*',
    });
    const asked = { method: 'GET', url: 'http://127.0.0.1:1/', requestId: 'r' };
    expect((await server.call('http/request', asked)).error.message).toMatch(/--allow-network opens it$/);
    const envPolicy = { inherit: 'all', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] };
    await runIn(server, 'echo "<$EXEC_TOKEN>"', { envPolicy });
    expect(server.textOf('p')).toBe('<>\n');
  });
});

/** What another user gets at a socket in a folder that is open to all; perl is part of Debian, and bash knows no such sockets. */
const connectAsOther = (path: string): string => {
  chmodSync(base, 0o755);
  const script = 'use IO::Socket::UNIX; print IO::Socket::UNIX->new(Peer => $ARGV[0]) ? "connected" : $!';
  const { stdout, error } = asOtherUser(['perl', '-e', script, path]);
  return error?.message ?? stdout;
};

describe('exec-server --listen unix://', () => {
  needs('root').it('serves lines at a socket that no other user can connect to', async () => {
    const path = join(base, 'socket');
    const [program, argv] = commandLine('exec-server', '--listen', `unix://${path}`);
    const child = spawn(program, argv, { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    expect(connectAsOther(path)).toMatch(/Permission denied/);
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  it('serves lines at a socket of its owner, and takes it away', async () => {
    const path = join(base, 'socket');
    const [program, argv] = commandLine('exec-server', '--listen', `unix://${path}`);
    const child = spawn(program, argv, { stdio: ['ignore', 'pipe', 'ignore'] });
    const [bound] = await once(child.stdout, 'data');
    expect(String(bound)).toBe(`unix://${path}\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const socket = connect(path);
    socket.write('{"id":1,"method":"initialize","params":{"clientName":"spec"}}\n');
    const [answer] = await once(socket, 'data');
    expect(JSON.parse(String(answer))).toEqual({ id: 1, result: { sessionId: expect.any(String) } });
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    socket.destroy();
    expect([code, existsSync(path)]).toEqual([0, false]);
  });

  it('replaces the socket of one that was killed, and no other', async () => {
    const path = join(base, 'socket');
    const [program, argv] = commandLine('exec-server', '--listen', `unix://${path}`);
    const listen = async () => {
      const child = spawn(program, argv, { stdio: ['ignore', 'pipe', 'ignore'] });
      const ended = once(child, 'exit');
      return { child, ended, bound: String((await Promise.race([once(child.stdout, 'data'), ended]))[0]) };
    };
    const first = await listen();
    first.child.kill('SIGKILL');
    await first.ended;
    expect(existsSync(path)).toBe(true);
    const second = await listen();
    expect(second.bound).toBe(`unix://${path}\n`);
    expect((await listen()).bound).toBe('1'); // its exit code
    expect(existsSync(path)).toBe(true);
    second.child.kill('SIGTERM');
    await second.ended;
    writeFileSync(path, 'a file');
    expect([(await listen()).bound, readFileSync(path, 'utf8')]).toEqual(['1', 'a file']);
  });
});
