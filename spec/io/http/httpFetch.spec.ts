import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { firstValueFrom, lastValueFrom, map, take, toArray } from 'rxjs';
import { type HttpCall, type HttpPart, httpFetch, redirected } from '../../../src/io/http/httpFetch';
import { noBackpressure } from '../../../src/streams/backpressure';
import { slowReader } from '../../support/streams';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const open: http.Server[] = [];

const serve = async (handler: Handler) => {
  const server = http.createServer(handler);
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const toPlain = (part: HttpPart) => (part.kind === 'head' ? part : { ...part, bytes: String(part.bytes) });

const fetch = httpFetch({ backpressure: noBackpressure });

const call = (url: string, own: Partial<HttpCall> = {}): HttpCall => ({ method: 'GET', url, headers: [], ...own });

const all = (given: HttpCall) => lastValueFrom(fetch(given).pipe(map(toPlain), toArray()));

describe('httpFetch', () => {
  it('sends any method with its headers and body as given, and emits the response as it is', async () => {
    const seen: unknown[] = [];
    const { url } = await serve((request, response) => {
      request.setEncoding('utf8').on('data', (body) => seen.push(request.method, request.headers['x-a'], body));
      request.on('end', () => {
        response.sendDate = false;
        response.writeHead(418, { 'Content-Encoding': 'gzip', 'Set-Cookie': ['a=1', 'b=2'], Connection: 'close' });
        response.end('no gzip');
      });
    });
    const headers = ['1', '2'].map((value) => ({ name: 'X-A', value }));
    const parts = await all(call(url, { method: 'PURGE', headers, body: Buffer.from('body') }));
    expect(seen).toEqual(['PURGE', '1, 2', 'body']);
    expect(parts).toEqual([
      {
        kind: 'head',
        status: 418,
        headers: [
          { name: 'content-encoding', value: 'gzip' },
          { name: 'set-cookie', value: 'a=1' },
          { name: 'set-cookie', value: 'b=2' },
          { name: 'connection', value: 'close' },
          { name: 'transfer-encoding', value: 'chunked' },
        ],
      },
      { kind: 'chunk', bytes: 'no gzip' },
    ]);
  });

  it('follows redirects, and stops at the first on request', async () => {
    const { url } = await serve((request, response) =>
      request.url === '/there' ? response.end('here') : response.writeHead(302, { Location: '/there' }).write('moved'),
    );
    const [head, body] = await all(call(url));
    expect([head, body]).toEqual([
      expect.objectContaining({ kind: 'head', status: 200 }),
      { kind: 'chunk', bytes: 'here' },
    ]);
    const stopped = await firstValueFrom(fetch(call(url, { redirects: 'stop' })));
    expect(stopped).toMatchObject({ kind: 'head', status: 302 });
  });

  it('follows ten redirects and no more', async () => {
    const seen: string[] = [];
    const { url } = await serve((request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(307, { Location: `/${seen.length}` }).end();
    });
    await expect(all(call(url))).rejects.toThrow('more than 10 redirects');
    expect(seen).toHaveLength(11);
  });

  it('errors when the connection breaks in the body, when nobody answers, when the protocol changes', async () => {
    const { url, server } = await serve((request, response) => {
      response.write('half', () => setImmediate(() => request.socket.destroy()));
    });
    server.on('connect', (_, socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    await expect(all(call(url))).rejects.toThrow();
    await expect(all(call(url, { method: 'CONNECT' }))).rejects.toThrow('the server changed to another protocol');
    await expect(all(call('http://127.0.0.1:1'))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends the request when it is unsubscribed, before the response and in its body', async () => {
    const closed: Promise<unknown>[] = [];
    const { url } = await serve((request, response) => {
      closed.push(
        once(
          request.socket.on('error', () => {}),
          'close',
        ),
      );
      if (request.url === '/talk') response.write('beat');
    });
    await firstValueFrom(fetch(call(`${url}/talk`)).pipe(take(1)));
    const silent = fetch(call(url)).subscribe();
    while (closed.length < 2) await new Promise(setImmediate);
    silent.unsubscribe();
    expect(await Promise.all(closed)).toHaveLength(2);
  });

  it('waits while the queue ahead is full', async () => {
    const size = 8 * 1024 * 1024;
    const { url } = await serve((_, response) => response.end(Buffer.alloc(size)));
    const { reader, backpressure, drain$ } = slowReader();
    reader.long = true;
    let bytes = 0;
    const done = lastValueFrom(
      httpFetch({ backpressure })(call(url)).pipe(
        map((part) => {
          bytes += part.kind === 'chunk' ? part.bytes.length : 0;
        }),
      ),
    );
    while (bytes === 0) await new Promise(setImmediate);
    const atPause = bytes;
    for (let i = 0; i < 20; i += 1) await new Promise(setImmediate);
    expect(bytes).toBe(atPause);
    reader.long = false;
    drain$.next();
    await done;
    expect(bytes).toBe(size);
  });
});

describe('redirected', () => {
  const headers = [
    { name: 'Authorization', value: 'Bearer t' },
    { name: 'Cookie', value: 'c' },
    { name: 'Content-Type', value: 'text/plain' },
    { name: 'Accept', value: '*/*' },
  ];
  const call: HttpCall = { method: 'POST', url: 'https://a.example/x', headers, body: Buffer.from('b') };
  const to = (location: string, statusCode = 307) => ({ statusCode, headers: { location } });
  const namesOf = (next: HttpCall | undefined) => next?.headers.map(({ name }) => name);

  it.each([
    ['the same origin', '/y', 'https://a.example/y', ['Authorization', 'Cookie', 'Content-Type', 'Accept']],
    ['the same origin, in full', 'https://A.example:443/y', 'https://a.example/y', namesOf(call)],
    ['another host', 'https://b.example/', 'https://b.example/', ['Content-Type', 'Accept']],
    ['another scheme', 'http://a.example/', 'http://a.example/', ['Content-Type', 'Accept']],
    ['another port', 'https://a.example:8443/', 'https://a.example:8443/', ['Content-Type', 'Accept']],
    ['another scheme on the same port', 'http://a.example:443/', 'http://a.example:443/', ['Content-Type', 'Accept']],
  ])('carries credentials only to the same scheme, host and port: %s', (_, location, url, names) => {
    const next = redirected(call, to(location));
    expect(next?.url).toBe(url);
    expect(namesOf(next)).toEqual(names);
  });

  it.each([
    [301, 'GET'],
    [302, 'GET'],
    [303, 'GET'],
    [307, 'POST'],
    [308, 'POST'],
  ])('goes on after %i with %s', (status, method) => {
    const next = redirected(call, to('/y', status));
    expect([next?.method, next?.body !== undefined]).toEqual([method, method === 'POST']);
  });

  it.each([
    ['a response that is no redirect', call, to('/y', 200)],
    ['a redirect without a location', call, { statusCode: 302, headers: {} }],
    ['a redirect to what is no address', call, to('http://[')],
    ['a redirect where they are not followed', { ...call, redirects: 'stop' as const }, to('/y')],
  ])('stops at %s', (_, request, head) => {
    expect(redirected(request, head)).toBeUndefined();
  });
});
