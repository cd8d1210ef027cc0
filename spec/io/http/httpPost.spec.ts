import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { concatMap, firstValueFrom, lastValueFrom, NEVER, Subject, toArray } from 'rxjs';
import type { HttpResponse } from '../../../src/io/http/httpRequest';
import { httpPost } from '../../../src/io/http/sendRequest';
import type { Backpressure } from '../../../src/streams/backpressure';
import { noBackpressure } from '../../support/models';
import { someTurns } from '../../support/turns';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const open: http.Server[] = [];

const serve = async (handler: Handler) => {
  const server = http.createServer(handler);
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
};

afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A reset is an error before the close; here both are the same. */
const closeOf = ({ socket }: IncomingMessage) =>
  new Promise<void>((resolve) => socket.on('error', () => {}).once('close', () => resolve()));

const request = (url: string) => ({ url, headers: { 'content-type': 'text/plain' }, body: 'grüße' });
const post = (url: string, backpressure: Backpressure = noBackpressure) =>
  httpPost({ backpressure, env: {} })(request(url));
const read = (response$: ReturnType<typeof post>) =>
  response$.pipe(concatMap((response: HttpResponse) => response.body$));

describe('httpPost', () => {
  it.each([
    ['gzip', gzipSync],
    ['X-Gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', Buffer.from],
  ])('reads a response that is compressed as %s', async (encoding, compress) => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'Content-Encoding': encoding }).end(compress(Buffer.from('grüße')));
    });
    expect(await lastValueFrom(read(post(url)).pipe(toArray()))).toEqual(['grüße']);
  });

  it('errors for a response that is not compressed as it claims', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('plain');
    });
    await expect(lastValueFrom(read(post(url)))).rejects.toThrow('incorrect header check');
  });

  it('sends the body with its length and emits status, headers and text', async () => {
    const seen: unknown[] = [];
    const { url } = await serve((incoming, response) => {
      incoming.setEncoding('utf8').on('data', (body) => {
        seen.push(incoming.method, incoming.headers['content-length'], incoming.headers['content-type'], body);
        response.writeHead(429, { 'Retry-After': '7' }).end('slow');
      });
    });
    const response$ = post(url).pipe(
      concatMap(({ body$, ...head }) =>
        body$.pipe(
          toArray(),
          concatMap((body) => [{ ...head, body }]),
        ),
      ),
    );
    expect(await lastValueFrom(response$)).toMatchObject({
      status: 429,
      statusText: 'Too Many Requests',
      headers: { 'retry-after': '7' },
      body: ['slow'],
    });
    expect(seen).toEqual(['POST', '7', 'text/plain', 'grüße']);
  });

  it('decodes characters that are cut between chunks', async () => {
    const bytes = Buffer.from('a€😀z');
    const { url } = await serve((_, response) => {
      const writeFrom = (at: number): unknown =>
        at === bytes.length
          ? response.end()
          : response.write(bytes.subarray(at, at + 1), () => setImmediate(() => writeFrom(at + 1)));
      writeFrom(0);
    });
    expect((await lastValueFrom(read(post(url)).pipe(toArray()))).join('')).toBe('a€😀z');
  });

  it('keeps the connection for the next request, also when the end of a response was not received', async () => {
    const ports: (number | undefined)[] = [];
    const [read$, ended$] = [new Subject<void>(), new Subject<void>()];
    const { url } = await serve((incoming, response) => {
      ports.push(incoming.socket.remotePort);
      firstValueFrom(read$).then(() => response.end('late'));
      response.on('close', () => ended$.next()).write('first');
    });
    const door = httpPost({ backpressure: noBackpressure, env: {} });
    const ask = async () => {
      const ended = firstValueFrom(ended$);
      const first = await firstValueFrom(read(door(request(url))));
      read$.next();
      await ended;
      await someTurns();
      return first;
    };
    expect([await ask(), await ask()]).toEqual(['first', 'first']);
    expect(ports[0]).toBe(ports[1]);
  });

  it('needs no time to end a response that came whole', async () => {
    const { url } = await serve((_, response) => response.end('whole'));
    const door = httpPost({ backpressure: noBackpressure, env: {} });
    const timers = jest.spyOn(globalThis, 'setTimeout');
    expect(await firstValueFrom(read(door(request(url))))).toBe('whole');
    expect(timers.mock.calls.filter(([, ms]) => ms === 100)).toEqual([]);
    timers.mockRestore();
  });

  it('reads on after an unsubscribe, also under backpressure, so that the connection can be used again', async () => {
    const ports: (number | undefined)[] = [];
    const ended$ = new Subject<void>();
    const { url } = await serve((incoming, response) => {
      ports.push(incoming.socket.remotePort);
      response.once('close', () => ended$.next());
      response.write('first', () => setImmediate(() => response.end('x'.repeat(1_000_000))));
    });
    const door = httpPost({ backpressure: { isFull: () => true, drain$: NEVER }, env: {} });
    for (const _ of [1, 2]) {
      const ended = firstValueFrom(ended$);
      await firstValueFrom(read(door(request(url))));
      await ended;
      await someTurns();
    }
    expect(ports[0]).toBe(ports[1]);
  });

  it('sends an unsubscribed request no second time on a kept connection', async () => {
    const arrived: IncomingMessage[] = [];
    const { url } = await serve((incoming, response) => {
      if (arrived.push(incoming) === 1) response.end('fine');
    });
    const door = httpPost({ backpressure: noBackpressure, env: {} });
    await lastValueFrom(read(door(request(url))));
    await someTurns();
    const silent = door(request(url)).subscribe();
    while (arrived.length < 2) await someTurns();
    expect(arrived[1]?.socket).toBe(arrived[0]?.socket);
    silent.unsubscribe();
    await someTurns();
    expect(arrived).toHaveLength(2);
  });

  it('dials again when the kept connection turns out to be closed', async () => {
    const sockets: IncomingMessage['socket'][] = [];
    const { url } = await serve((incoming, response) => {
      sockets.push(incoming.socket);
      if (sockets.length === 2 && sockets[0] === sockets[1]) incoming.socket.resetAndDestroy();
      else response.end('fine');
    });
    const door = httpPost({ backpressure: noBackpressure, env: {} });
    const emitted = () => lastValueFrom(read(door(request(url))));
    expect([await emitted(), await emitted()]).toEqual(['fine', 'fine']);
    expect(sockets).toHaveLength(3);
  });

  it.each(['directly', 'through a proxy'])('sends what is to be done once no second time, %s', async (way) => {
    const arrived: IncomingMessage[] = [];
    const { url } = await serve((incoming, response) => {
      if (arrived.push(incoming) === 2) incoming.socket.end();
      else response.end('fine');
    });
    const env = way === 'directly' ? {} : { http_proxy: url };
    const door = httpPost({ backpressure: noBackpressure, env });
    const target = way === 'directly' ? url : 'http://elsewhere.test/';
    const emitted = () => lastValueFrom(read(door({ ...request(target), isOnce: true })));
    expect(await emitted()).toBe('fine');
    await someTurns();
    await expect(emitted()).rejects.toMatchObject({ message: expect.anything() });
    expect(arrived[1]?.socket === arrived[0]?.socket).toBe(way !== 'directly');
    await someTurns();
    expect(arrived).toHaveLength(2);
    expect(await emitted()).toBe('fine');
  });

  it('closes the connection of what is to be done once behind its response', async () => {
    const arrived: IncomingMessage[] = [];
    const { url } = await serve((incoming, response) => {
      arrived.push(incoming);
      response.end('fine');
    });
    const door = httpPost({ backpressure: noBackpressure, env: {} });
    expect(await lastValueFrom(read(door({ ...request(url), isOnce: true })))).toBe('fine');
    while (!arrived[0]?.socket.destroyed) await someTurns();
    expect(await lastValueFrom(read(door(request(url))))).toBe('fine');
    expect(arrived).toHaveLength(2);
  });

  it('errors when nobody answers, when the connection breaks, when the address is none', async () => {
    const { url, server } = await serve((incoming) => incoming.socket.resetAndDestroy());
    await expect(lastValueFrom(post(url))).rejects.toMatchObject({ code: 'ECONNRESET' });
    server.close();
    await once(server, 'close');
    await expect(lastValueFrom(post(url))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(lastValueFrom(post('nowhere'))).rejects.toMatchObject({ name: 'TypeError' });
    await expect(lastValueFrom(post(url.replace('http:', 'https:')))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('errors in the body when it breaks off', async () => {
    const { url } = await serve((_, response) => {
      response.write('half', () => setImmediate(() => response.socket?.resetAndDestroy()));
    });
    const received: string[] = [];
    const body$ = read(post(url));
    await expect(
      new Promise((resolve, reject) =>
        body$.subscribe({ next: (text) => received.push(text), error: reject, complete: () => resolve(0) }),
      ),
    ).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(received).toEqual(['half']);
  });

  it('ends the request when nobody listens: before a response, and while it goes on', async () => {
    const arrived$ = new Subject<IncomingMessage>();
    const { url } = await serve((incoming, response) => {
      if (incoming.headers['x-talk']) {
        const beat = setInterval(() => response.write('beat'), 5);
        response.on('close', () => clearInterval(beat));
      }
      arrived$.next(incoming);
    });
    const silent = firstValueFrom(arrived$);
    const silentCall = post(url).subscribe({ error: () => {} });
    const silentClosed = closeOf(await silent);
    silentCall.unsubscribe();
    await silentClosed;

    const talking = firstValueFrom(arrived$);
    const beat = firstValueFrom(
      read(httpPost({ backpressure: noBackpressure, env: {} })({ ...request(url), headers: { 'x-talk': '1' } })),
    );
    const talkingClosed = closeOf(await talking);
    expect(await beat).toMatch(/^beat/);
    await talkingClosed;
  });

  it('pauses under backpressure and goes on when it is gone', async () => {
    const size = 32 * 1024 * 1024;
    const { url } = await serve((_, response) => response.end(Buffer.alloc(size, 'x')));
    const drain$ = new Subject<void>();
    const first$ = new Subject<void>();
    const now = { long: true, received: 0 };
    const first = firstValueFrom(first$);
    const done = new Promise<void>((resolve) => {
      read(post(url, { isFull: () => now.long, drain$ })).subscribe({
        next: (text) => {
          now.received += text.length;
          first$.next();
        },
        complete: resolve,
      });
    });
    await first;
    const held = now.received;
    await someTurns();
    expect(now.received).toBe(held);
    now.long = false;
    drain$.next();
    await done;
    expect(now.received).toBe(size);
    expect(drain$.observed).toBe(false);
  });

  it('asks nothing before somebody listens', async () => {
    const { url, server } = await serve((_, response) => response.end());
    const calls: unknown[] = [];
    server.on('connection', (socket) => calls.push(socket));
    const response$ = post(url);
    await someTurns();
    expect(calls).toEqual([]);
    await lastValueFrom(read(response$).pipe(toArray()));
    expect(calls).toHaveLength(1);
  });
});
