/** The exec-server as built: over its own standard streams, with real processes. */
import { existsSync, mkdtempSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startExecServer } from '../../support/exec/execPeer';
import { removeFolder } from '../../support/files';
import { needs } from '../../support/needs/needs';
import { gone, memoryMb, running, until } from '../../support/processes';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

type Server = Awaited<ReturnType<typeof startExecServer>>;
const servers: Server[] = [];
const open = async (...args: string[]) => {
  const server = await startExecServer(...args);
  servers.push(server);
  return server;
};
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codex-rx-'));
});
afterEach(async () => {
  for (const { child, ended } of servers.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
});
afterAll(() => removeFolder(folder));

const FAMILY = 'trap "" TERM HUP; (trap "" TERM HUP; sleep 300; :) & echo $$ $!; wait';
const pidsOf = async ({ textOf }: Server, processId: string) => {
  await until(() => textOf(processId).includes('\n'), 'process ids');
  return textOf(processId).trim().split(' ').map(Number);
};

describe('exec-server', () => {
  it.each<[string, (server: Server) => void, unknown]>([
    ['its input ends', ({ child }) => child.stdin.end(), { code: 0, signal: null }],
    ['it is asked to end', ({ child }) => child.kill('SIGTERM'), { code: 0, signal: null }],
    ['it is killed', ({ child }) => child.kill('SIGKILL'), { code: null, signal: 'SIGKILL' }],
    [
      'its client breaks the protocol',
      ({ child }) => child.stdin.write('{"method":"no"}\n'),
      { code: 0, signal: null },
    ],
  ])('leaves no process behind when %s, not even a grandchild', async (_, end, ending) => {
    const server = await open();
    await server.start('p', FAMILY);
    const pids = await pidsOf(server, 'p');
    expect(pids).toHaveLength(2);
    end(server);
    expect(await server.ended).toEqual(ending);
    await gone(pids);
  });

  it('leaves nothing behind when it is killed in the moment of a start, not even what has left its group', async () => {
    const mark = `strays-${process.pid}`;
    const envPolicy = { inherit: 'core', ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] };
    for (let tries = 0; tries < 8; tries += 1) {
      const server = await open();
      void server.start('p', '(setsid sleep 300 &); exec sleep 300', {
        envPolicy,
        env: { PATH: '/usr/bin:/bin', HOME: mark },
      });
      await new Promise((wake) => setTimeout(wake, tries * 2));
      server.child.kill('SIGKILL');
      await server.ended;
    }
    await new Promise((wake) => setTimeout(wake, 1_500)); // the watcher looks a last time after a second, a busy one later
    await until(() => running('sleep', mark).length === 0, 'the end of all that was started');
  });

  it('passes 200 MB whole and in order, and does not grow with it', async () => {
    const server = await open();
    const size = 200_000_000;
    const seen = { bytes: 0, seq: 0, greatest: 0, disorder: 0 };
    server.notes.push = (note) => {
      const { seq, chunk } = note.params;
      if (seq !== seen.seq + 1) seen.disorder += 1;
      seen.seq = seq;
      seen.bytes += chunk === undefined ? 0 : Buffer.byteLength(chunk, 'base64');
      if (note.method === 'process/closed') seen.greatest = memoryMb(server.child.pid as number);
      return 0;
    };
    await server.start('p', `head -c ${size} /dev/zero`);
    await until(() => seen.greatest > 0, 'the end of the output');
    expect(seen).toMatchObject({ bytes: size, disorder: 0 });
    expect(seen.greatest).toBeLessThan(400);
  });

  it('makes a process wait for a client that does not read, and loses nothing', async () => {
    const server = await open();
    const progress = join(folder, 'progress');
    const script = `i=0; while [ $i -lt 250 ]; do head -c 65536 /dev/zero; i=$((i+1)); echo $i > '${progress}'; done`;
    await server.start('p', script);
    await until(() => existsSync(progress), 'its first word');
    server.child.stdout.pause();
    let before = -1;
    const at = () => Number(readFileSync(progress, 'utf8')) || 0;
    while (before !== at()) {
      before = at();
      await new Promise((wake) => setTimeout(wake, 400));
    }
    expect(before).toBeLessThan(237);
    server.child.stdout.resume();
    await server.closed('p');
    expect(server.textOf('p')).toHaveLength(250 * 65_536);
  });

  it('runs 100 at once, noisy and quick ones', async () => {
    const server = await open();
    const ids = Array.from({ length: 100 }, (_, i) => `p${i}`);
    await Promise.all(ids.map((id, i) => server.start(id, `echo o${i}; head -c 20000 /dev/zero >&2; exit ${i % 9}`)));
    await Promise.all(ids.map(server.closed));
    ids.forEach((id, i) => {
      expect([server.textOf(id), server.textOf(id, 'stderr').length]).toEqual([`o${i}\n`, 20_000]);
      expect(server.of(id).map(({ params }) => params.seq)).toEqual(server.of(id).map((_, n) => n + 1));
    });
  });

  it('sends nothing of a process before the response to its start', async () => {
    const server = await open();
    const ids = Array.from({ length: 60 }, (_, i) => `p${i}`);
    const answers = await Promise.all(ids.map((id) => server.start(id, 'echo x')));
    await Promise.all(ids.map(server.closed));
    const early = answers.filter(({ id, result }) =>
      server.notesBefore(id).some(({ params }) => params.processId === result.processId),
    );
    expect(early).toEqual([]);
  });

  needs('terminal').it('runs a process with a terminal, which reads what is written and ends at a Ctrl-D', async () => {
    const server = await open();
    await server.start('t', 'test -t 0 && test -t 1 && stty size; cat; exit 7', { tty: true, pipeStdin: true });
    await until(() => server.textOf('t', 'pty').includes('24 80'), 'the size of the terminal');
    await server.call('process/write', { processId: 't', chunk: base64('hello\r'), writeId: '1' });
    await until(() => server.textOf('t', 'pty').split('hello').length > 2, 'the echo and the output');
    await server.call('process/closeStdin', { processId: 't' });
    await server.closed('t');
    expect(server.of('t').at(-2)).toMatchObject({ method: 'process/exited', params: { exitCode: 7 } });
  });

  needs('terminal').it('leaves no process with a terminal behind', async () => {
    const server = await open();
    await server.start('t', 'trap "" HUP TERM; echo $$; sleep 300; :', { tty: true });
    await until(() => server.textOf('t', 'pty').includes('\n'), 'the process id');
    const pid = Number(server.textOf('t', 'pty').trim());
    server.child.kill('SIGKILL');
    await gone([pid]);
  });

  it('closes stdin, ends with grace, and reports what it no longer retains', async () => {
    const server = await open();
    await server.start('cat', 'cat; echo bye', { pipeStdin: true });
    await server.call('process/write', { processId: 'cat', chunk: 'aGkK', writeId: '1' });
    expect((await server.call('process/closeStdin', { processId: 'cat' })).result).toEqual({ status: 'accepted' });
    await server.closed('cat');
    expect(server.textOf('cat')).toBe('hi\nbye\n');
    await server.start('slow', 'trap "echo asked; exit 3" TERM; echo up; while :; do sleep 0.02; done', {
      grace: { inputMs: 0, termMs: 5000 },
    });
    await until(() => server.textOf('slow') === 'up\n', 'the trap');
    expect((await server.call('process/terminate', { processId: 'slow' })).result).toEqual({ running: true });
    await server.closed('slow');
    expect(server.textOf('slow')).toBe('up\nasked\n');
    await server.start('loud', 'head -c 3000000 /dev/zero');
    await server.closed('loud');
    const { chunks, evictedThrough, evictedBytes } = (await server.call('process/read', { processId: 'loud' })).result;
    expect(evictedThrough).toBe(chunks[0].seq - 1);
    const kept = chunks.reduce(
      (sum: number, { chunk }: { chunk: string }) => sum + Buffer.from(chunk, 'base64').length,
      0,
    );
    expect(evictedBytes + kept).toBe(3_000_000);
  });

  it('closes stdin after what waits to be written', async () => {
    const { call, start, closed, textOf } = await open();
    const go = join(folder, 'go');
    await start('p', `until [ -e '${go}' ]; do sleep 0.02; done; wc -c`, { pipeStdin: true });
    const chunk = Buffer.alloc(300_000).toString('base64');
    const writes = ['1', '2', '3'].map((writeId) => call('process/write', { processId: 'p', chunk, writeId }));
    const close = call('process/closeStdin', { processId: 'p' });
    const late = call('process/write', { processId: 'p', chunk, writeId: '4' });
    await call('environment/status');
    writeFileSync(go, '');
    const statuses = (await Promise.all([...writes, close, late])).map(({ result }) => result.status);
    expect(statuses).toEqual(['accepted', 'accepted', 'accepted', 'accepted', 'stdinClosed']);
    await closed('p');
    expect(textOf('p').trim()).toBe('900000');
  });

  it('waits as long as requested, even for ever', async () => {
    const { call, start } = await open();
    await start('p', 'sleep 300', { grace: { inputMs: 0, termMs: 1e15 } });
    const read = call('process/read', { processId: 'p', waitMs: 1e15 });
    await call('process/terminate', { processId: 'p' });
    expect((await read).result).toMatchObject({ exited: true, exitCode: 143 });
  });

  it('keeps no more over all processes than it may', async () => {
    const server = await open('--retain-mb', '1');
    for (const id of ['a', 'b', 'c']) {
      await server.start(id, 'head -c 900000 /dev/zero');
      await server.closed(id);
    }
    const kept = await Promise.all(
      ['a', 'b', 'c'].map(async (processId) => {
        const { chunks } = (await server.call('process/read', { processId })).result;
        return chunks.reduce(
          (sum: number, { chunk }: { chunk: string }) => sum + Buffer.byteLength(chunk, 'base64'),
          0,
        );
      }),
    );
    expect(kept.reduce((sum, bytes) => sum + bytes)).toBeLessThanOrEqual(1_048_576);
  });

  it('lets no more run at once than it may', async () => {
    const server = await open('--max-processes', '1');
    await server.start('a', 'sleep 300');
    expect((await server.start('b', ':')).error.message).toBe('too many processes: 1 run already');
  });

  it('reads and writes files, whole and in blocks', async () => {
    const { call } = await open();
    const path = (name: string) => join(folder, name);
    const result = async (method: string, params: object) => {
      const answer = await call(`fs/${method}`, params);
      return answer.result ?? [answer.error.code, answer.error.message];
    };
    const dataBase64 = Buffer.from('hello\n').toString('base64');
    expect(await result('writeFile', { path: path('a b'), dataBase64 })).toEqual({});
    expect(await result('readFile', { path: `file://${path('a%20b')}` })).toEqual({ dataBase64 });
    expect(await result('getMetadata', { path: path('a b') })).toMatchObject({
      isFile: true,
      isSymlink: false,
      size: 6,
    });
    expect(await result('createDirectory', { path: path('x/y') })).toEqual({});
    expect(await result('copy', { sourcePath: path('a b'), destinationPath: path('x/c') })).toEqual({});
    expect(await result('readDirectory', { path: path('x') })).toEqual({
      entries: expect.arrayContaining([
        { fileName: 'c', isDirectory: false, isFile: true },
        { fileName: 'y', isDirectory: true, isFile: false },
      ]),
    });
    expect(await result('canonicalize', { path: path('x/../a b') })).toEqual({
      path: expect.stringMatching(/^file:.*a%20b$/),
    });
    expect(await result('open', { handleId: 'h', path: path('a b') })).toEqual({ handleId: 'h' });
    expect(await result('open', { handleId: 'h', path: path('a b') })).toEqual([
      -32600,
      'file handle h already exists',
    ]);
    expect(await result('readBlock', { handleId: 'h', offset: 4, len: 9 })).toEqual({ chunk: 'bwo=', eof: true });
    expect(await result('close', { handleId: 'h' })).toEqual({});
    expect(await result('readBlock', { handleId: 'h', offset: 4, len: 9 })).toEqual([-32004, 'unknown file handle h']);
    expect(await result('remove', { path: path('x'), recursive: false })).toEqual([
      -32603,
      'Directory not empty (os error 39)',
    ]);
    expect(await result('remove', { path: path('x') })).toEqual({});
    expect(await result('remove', { path: path('x'), recursive: false, force: true })).toEqual({});
    const missing = [-32004, 'No such file or directory (os error 2)'];
    expect(await result('readFile', { path: path('none') })).toEqual(missing);
    expect(await result('open', { handleId: 'h', path: path('none') })).toEqual(missing);
    expect(await result('readFile', { path: '/dev/zero' })).toEqual([-32600, 'not a regular file']);
    expect(await result('readFile', { path: folder })).toEqual([-32600, 'Is a directory (os error 21)']);
    expect(await result('copy', { sourcePath: folder, destinationPath: `${folder}/q`, recursive: true })).toEqual([
      -32600,
      'fs/copy cannot copy a directory to itself or one of its descendants',
    ]);
  });

  it('writes a file in blocks, which replace what was there', async () => {
    const { call } = await open();
    const result = async (method: string, params: object) => {
      const { result, error } = await call(`fs/${method}`, params);
      return result ?? [error.code, error.message];
    };
    const path = join(folder, 'blocks');
    const write = (offset: number, chunk: string) => result('writeBlock', { handleId: 'w', offset, chunk });
    const size = 'file write block length must be between 1 and 1048576';
    writeFileSync(path, 'what was there');
    expect(await result('open', { handleId: 'w', path, mode: 'append' })).toEqual([
      -32602,
      'unknown variant `append`, expected `read` or `replace`',
    ]);
    expect(await result('open', { handleId: 'w', path, mode: 'replace' })).toEqual({ handleId: 'w' });
    expect(readFileSync(path, 'utf8')).toBe('');
    expect(await write(3, base64('later'))).toEqual({});
    expect(await write(0, base64('sooner'))).toEqual({});
    expect(readFileSync(path, 'utf8')).toBe('soonerer');
    expect(await write(0, '!!')).toEqual([-32602, 'Invalid symbol 33, offset 0.']);
    expect(await write(0, '')).toEqual([-32600, size]);
    expect(await write(0, base64('x'.repeat(1_048_577)))).toEqual([-32600, size]);
    expect(await write(8, base64('x'.repeat(1_048_576)))).toEqual({});
    const noReader = [-32603, 'Bad file descriptor (os error 9)'];
    expect(await result('readBlock', { handleId: 'w', offset: 0, len: 9 })).toEqual(noReader);
    expect(await result('close', { handleId: 'w' })).toEqual({});
    expect(await write(0, 'eA==')).toEqual([-32004, 'unknown file handle w']);
    expect(statSync(path).size).toBe(1_048_584);
    expect(await result('open', { handleId: 'w', path })).toEqual({ handleId: 'w' });
    expect(await write(0, 'eA==')).toEqual(noReader);
  });

  it('sends requests over HTTP, follows redirects or stops there, streams bodies', async () => {
    const web = createServer((request, response) => {
      if (request.url === '/go') response.writeHead(302, { location: '/' }).end();
      else if (request.url === '/cut')
        response.writeHead(200, { 'content-length': 9 }).write('a', () => response.destroy());
      else if (request.url === '/never') response.on('close', () => {});
      else if (request.url === '/stall') response.writeHead(200, { 'content-length': 9 }).write('a');
      else if (request.url === '/away') response.writeHead(302, { location: 'ftp://x/' }).end();
      else if (request.url === '/nowhere') response.writeHead(302, { location: 'http://[' }).end();
      else if (request.url === '/turn')
        response.socket?.end('HTTP/1.1 101 Turn\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
      else request.pipe(response.setHeader('x-two', ['1', '2']).setHeader('x-method', request.method as string));
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
    const { call, notes } = await open();
    const request = (own: object) => call('http/request', { method: 'POST', url, requestId: 'r', ...own });
    const whole = (await request({ bodyBase64: 'aGk=', headers: [{ name: 'x-a', value: 'b' }] })).result;
    expect([whole.status, whole.bodyBase64]).toEqual([200, 'aGk=']);
    expect(whole.headers.filter(({ name }: { name: string }) => name === 'x-two')).toHaveLength(2);
    const moved = (await request({ url: `${url}/go`, bodyBase64: 'aGk=' })).result;
    expect(moved.headers).toContainEqual({ name: 'x-method', value: 'GET' });
    const stopped = (await request({ url: `${url}/go`, redirectPolicy: 'stop' })).result;
    expect([stopped.status, stopped.headers]).toEqual([
      302,
      expect.arrayContaining([{ name: 'location', value: '/' }]),
    ]);
    expect((await request({ bodyBase64: 'aGk=', streamResponse: true })).result.bodyBase64).toBe('');
    await until(() => notes.some(({ params }) => params.done), 'the last delta');
    expect(notes.map(({ params }) => [params.seq, params.deltaBase64, params.done, params.error])).toEqual([
      [1, 'aGk=', false, null],
      [2, '', true, null],
    ]);
    const failed = async (own: object) => (await request(own)).error;
    expect(await failed({ url: `${url}/cut` })).toEqual({
      code: -32603,
      message: expect.stringMatching(/^http\/request failed: /),
    });
    expect(await failed({ url: `${url}/never`, timeoutMs: 50 })).toMatchObject({ code: -32603 });
    expect(await failed({ url: `${url}/stall`, timeoutMs: 200 })).toMatchObject({ code: -32603 });
    expect(await failed({ url: `${url}/away` })).toMatchObject({ message: expect.stringContaining('ftp:') });
    expect((await request({ url: `${url}/nowhere` })).result.status).toBe(302); // it cannot be followed
    expect(await failed({ url: `${url}/turn` })).toMatchObject({
      message: expect.stringContaining('another protocol'),
    });
    expect((await request({ bodyBase64: 'aGk=', timeoutMs: 1e15 })).result.status).toBe(200);
    expect(await failed({ url: 'no url' })).toEqual({ code: -32602, message: 'http/request URL is invalid: no url' });
    expect(await failed({ redirectPolicy: 'ask' })).toMatchObject({ code: -32602 });
    expect(await failed({ method: 'a b' })).toMatchObject({ code: -32602 });
    expect(await failed({ headers: [{ name: 'a', value: 'b\nc' }] })).toMatchObject({ code: -32602 });
    web.close();
    web.closeAllConnections();
  });

  it('does not hang on a pipe that nobody writes to', async () => {
    const { call, start, closed } = await open();
    const fifo = join(folder, 'fifo');
    await start('p', `mkfifo '${fifo}'`);
    await closed('p');
    writeFileSync(join(folder, 'plain'), 'x');
    expect((await call('fs/open', { handleId: 'h', path: fifo })).result).toEqual({ handleId: 'h' });
    expect((await call('fs/close', { handleId: 'h' })).result).toEqual({});
    const writes = ['a', 'b', 'c', 'd', 'e'].map(() => call('fs/writeFile', { path: fifo, dataBase64: 'eA==' }));
    expect((await call('fs/readFile', { path: join(folder, 'plain') })).result).toEqual({ dataBase64: 'eA==' });
    for (const { error } of await Promise.all(writes)) expect(error.message).toContain('ENXIO');
  });

  it('reads files that have no size whole, in blocks too, and none that is too long', async () => {
    const { call } = await open();
    const read = async (offset: number) => (await call('fs/readBlock', { handleId: 'h', offset, len: 1000 })).result;
    expect((await call('fs/open', { handleId: 'h', path: '/proc/self/smaps' })).result).toEqual({ handleId: 'h' });
    const [first, beyond] = [await read(0), await read(2 ** 60)];
    expect([first.eof, beyond]).toEqual([false, { chunk: '', eof: true }]);
    const { dataBase64 } = (await call('fs/readFile', { path: '/proc/self/smaps' })).result;
    expect(Buffer.from(dataBase64, 'base64').length).toBeGreaterThan(Buffer.from(first.chunk, 'base64').length);
    const long = join(folder, 'long');
    writeFileSync(long, '');
    truncateSync(long, 268_435_457);
    expect((await call('fs/readFile', { path: long })).error.message).toContain('more than 268435456 bytes');
  });

  it('inherits what a policy lists', async () => {
    const server = await open();
    const policy = { inherit: 'all', ignoreDefaultExcludes: false, exclude: [], set: { A: '1' }, includeOnly: [] };
    await server.start('p', 'env', { envPolicy: policy });
    await server.closed('p');
    expect(server.textOf('p')).toContain('A=1\n');
    expect(server.textOf('p')).not.toContain('hidden');
  });
});
