/** The exec-server as built, where it listens: who may come in, what it takes, how it ends. */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { commandLine, type Json } from '../../support/daemon/peer';
import { endExecServers, listenExecServer } from '../../support/exec/execSocket';
import { asOtherUser } from '../../support/exec/otherUser';
import { removeFolder } from '../../support/files';
import { needs } from '../../support/needs/needs';
import { gone } from '../../support/processes';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codex-rx-'));
});
afterAll(() => removeFolder(folder));
afterAll(endExecServers);

const statusOf = (url: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asked = request(url.replace('ws:', 'http:'), { headers }, (answer) => resolve(answer.resume().statusCode));
    asked.on('error', reject).end();
  });

/** The status an upgrade is refused with; 101 for one that is not. */
const upgradeOf = (url: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url, { headers });
    socket.on('error', () => {});
    socket.on('unexpected-response', (_, answer) => resolve(answer.resume().statusCode));
    socket.on('open', () => {
      socket.terminate();
      resolve(101);
    });
  });

/** A client; `messages` grows, `ended` is the close. */
const connectTo = async (url: string, headers: Record<string, string> = {}) => {
  const socket = new WebSocket(url, { headers, maxPayload: 1 << 30 });
  const messages: Json[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data) => {
    messages.push(JSON.parse(data.toString()));
    for (const look of [...waiting]) look();
  });
  const ended = new Promise<[number, string]>((resolve) =>
    socket.on('close', (code, reason) => resolve([code, reason.toString()])),
  );
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  const next = (fits: (message: Json) => boolean): Promise<Json> =>
    new Promise((resolve) => {
      const look = () => {
        const found = messages.find(fits);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const call = (id: number, method: string, params: Json) => {
    socket.send(JSON.stringify({ id, method, params }));
    return next((message) => message.id === id);
  };
  const greet = async (resumeSessionId?: string) => {
    const { result } = await call(0, 'initialize', { clientName: 'spec', resumeSessionId });
    socket.send('{"method":"initialized"}');
    return result.sessionId as string;
  };
  return { socket, messages, ended, next, call, greet };
};

const startOf = (processId: string, script: string) => ({
  processId,
  argv: ['/bin/sh', '-c', script],
  cwd: '/',
  env: { PATH: '/usr/bin:/bin' },
  tty: false,
});

describe('exec-server --listen ws://', () => {
  const server = { url: '' };
  beforeAll(async () => {
    server.url = (await listenExecServer('--max-connections', '9')).url;
  });

  needs('root').it('accepts clients of its own user only, unless it is asked to accept all', async () => {
    // bash, as the other user may not be able to run the Node of these specs
    const script = String.raw`exec 3<>/dev/tcp/127.0.0.1/$0
      printf 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' >&3
      printf 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n' >&3
      read -r _ status _ <&3 && echo "$status"`;
    const statusAt = async (...args: string[]) => {
      const { port } = new URL((await listenExecServer(...args)).url);
      const argv = ['/bin/bash', '-c', script, port];
      return asOtherUser(argv).stdout.trim();
    };
    expect(await statusAt()).toBe('403');
    expect(await statusAt('--allow-other-users')).toBe('101');
  });

  it('gives a session to who resumes it when the client of the old connection does not answer any more', async () => {
    const old = await connectTo(server.url);
    const sessionId = await old.greet();
    await old.call(1, 'process/start', startOf('p', 'sleep 300'));
    const early = await connectTo(server.url);
    expect((await early.call(0, 'initialize', { clientName: 'spec', resumeSessionId: sessionId })).error.code).toBe(
      -32010,
    );
    old.socket.pause();
    const late = await connectTo(server.url);
    expect(await late.greet(sessionId)).toBe(sessionId);
    expect((await late.call(2, 'process/terminate', { processId: 'p' })).result).toEqual({ running: true });
    old.socket.resume();
    expect(await old.ended).toEqual([1008, 'session has been resumed by another connection']);
    for (const { socket } of [early, late]) socket.terminate();
  });

  it('prints its address, and accepts a client', async () => {
    expect(server.url).toMatch(/^ws:\/\/127\.0\.0\.1:[1-9]\d*$/);
    const page = { origin: 'http://127.0.0.1' };
    expect([
      await upgradeOf(server.url),
      await upgradeOf(`${server.url}/?a=b`),
      await upgradeOf(`${server.url}/other`),
      await upgradeOf(server.url, page),
      await statusOf(`${server.url}/readyz`),
      await statusOf(`${server.url}/readyz`, page),
      await statusOf(server.url),
      await statusOf(`${server.url}/other`),
    ]).toEqual([101, 101, 404, 403, 200, 403, 400, 404]);
  });

  it('reads text, bytes and messages in pieces; names the sender of what it cannot read', async () => {
    const { socket, call, next, greet } = await connectTo(server.url);
    await greet();
    socket.send(Buffer.from('{"id":"b","method":"environment/info"}'));
    expect((await next(({ id }) => id === 'b')).result.shell).toBeDefined();
    socket.send('{"id":"c","method":"env', { fin: false });
    socket.send('ironment/info"}', { fin: true });
    expect((await next(({ id }) => id === 'c')).result.shell).toBeDefined();
    socket.send('{}\n{}');
    expect((await next(({ id }) => id === -1)).error.message).toMatch(
      /^failed to parse websocket JSON-RPC message from exec-server websocket 127\.0\.0\.1:\d+: /,
    );
    const path = join(folder, 'big');
    writeFileSync(path, Buffer.alloc(20_000_000, 'x'));
    const { result } = await call(5, 'fs/readFile', { path });
    expect(Buffer.from(result.dataBase64, 'base64')).toHaveLength(20_000_000);
    socket.terminate();
  });

  it('closes with a code and a reason after a message that is too long, and when the protocol is broken', async () => {
    const long = await connectTo(server.url);
    long.socket.send(Buffer.alloc(67_108_865, 32));
    expect((await long.ended)[0]).toBe(1009);
    const broken = await connectTo(server.url);
    await broken.greet();
    broken.socket.send('{"method":"no/such"}');
    expect(await broken.ended).toEqual([1002, 'the client broke the protocol']);
  });

  it('keeps sessions apart, and one for its client to come back to', async () => {
    const [one, other] = [await connectTo(server.url), await connectTo(server.url)];
    const sessionId = await one.greet();
    await other.greet();
    await one.call(1, 'process/start', startOf('p', 'echo a; sleep 0.3; echo b'));
    await one.next(({ method }) => method === 'process/output');
    expect((await other.call(1, 'process/read', { processId: 'p' })).error.message).toBe('unknown process id p');
    one.socket.terminate();
    const back = await connectTo(server.url);
    const again = () => back.call(0, 'initialize', { clientName: 'spec', resumeSessionId: sessionId });
    while ((await again()).error?.code === -32010) back.messages.length = 0;
    back.socket.send('{"method":"initialized"}');
    await back.next(({ method }) => method === 'process/closed');
    const chunks = (await back.call(1, 'process/read', { processId: 'p' })).result.chunks;
    expect(chunks.map(({ chunk }: Json) => Buffer.from(chunk, 'base64').toString())).toEqual(['a\n', 'b\n']);
    for (const { socket } of [other, back]) socket.terminate();
  });

  it('lets in no more than it may at once', async () => {
    const { url } = await listenExecServer('--max-connections', '1', '--max-sessions', '1');
    const first = await connectTo(url);
    await first.greet();
    expect(await upgradeOf(url)).toBe(503);
    first.socket.close();
    await first.ended;
    const second = await connectTo(url);
    const { error } = await second.call(0, 'initialize', { clientName: 'spec' });
    expect(error).toEqual({ code: -32600, message: 'too many sessions: 1 exist already' });
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('leaves no process behind after %s', async (signal) => {
    const { child, url } = await listenExecServer();
    const [here, away] = [await connectTo(url), await connectTo(url)];
    const pids: number[] = [];
    for (const client of [here, away]) {
      await client.greet();
      await client.call(1, 'process/start', startOf('p', 'trap "" TERM; sleep 300 & echo $$ $!; wait'));
      const { params } = await client.next(({ method }) => method === 'process/output');
      pids.push(...Buffer.from(params.chunk, 'base64').toString().trim().split(' ').map(Number));
    }
    away.socket.terminate();
    const ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
    child.kill(signal);
    expect(await ended).toBe(signal === 'SIGKILL' ? null : 0);
    expect((await here.ended)[0]).toBe(signal === 'SIGKILL' ? 1006 : 1001);
    expect(pids).toHaveLength(4);
    await gone(pids);
  });
});

describe('exec-server --token-file', () => {
  const fileWith = (text: string): string => {
    const path = join(folder, `token${text.length}`);
    writeFileSync(path, text);
    chmodSync(path, 0o600);
    return path;
  };
  const refusalOf = (...args: string[]) => {
    const [program, argv] = commandLine('exec-server', ...args);
    const { status, stdout, stderr } = spawnSync(program, argv, { input: '', encoding: 'utf8' });
    return [status, stdout, stderr.split('\n')[0]];
  };

  it('lets in nobody who does not know the token, on every address', async () => {
    const { url } = await listenExecServer('--token-file', fileWith(' sesame\n'));
    expect([
      await upgradeOf(url),
      await upgradeOf(url, { authorization: 'Bearer wrong' }),
      await upgradeOf(url, { authorization: 'Bearer sesame', origin: 'null' }),
      await upgradeOf(url, { authorization: 'Bearer sesame' }),
      await statusOf(`${url}/readyz`),
    ]).toEqual([401, 401, 403, 101, 200]);
  });

  it.each<[string, () => string[], RegExp]>([
    [
      'an address that others can reach, without a token',
      () => ['ws://0.0.0.0:0'],
      /can reach 0\.0\.0\.0, .* --token-file/,
    ],
    ['a token that is not there', () => ['ws://127.0.0.1:0', '--token-file', '/no/where'], /no such file/],
    ['a token for a client it started', () => ['stdio', '--token-file', fileWith('x')], /goes with --listen ws/],
  ])('refuses %s, with exit code 2', (_, args, words) => {
    expect(refusalOf('--listen', ...args())).toEqual([2, '', expect.stringMatching(words)]);
  });
});
