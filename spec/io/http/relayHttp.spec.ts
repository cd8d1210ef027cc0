import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { firstValueFrom, type Subscription } from 'rxjs';
import { relayHttp, withoutOrigin } from '../../../src/io/http/relayHttp';

const open: (Subscription | Server)[] = [];

afterEach(() => {
  for (const one of open.splice(0)) {
    if ('close' in one) one.closeAllConnections();
    if ('close' in one) one.close();
    else one.unsubscribe();
  }
});

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const startServer = async (handler: Handler): Promise<URL> => {
  const server = createServer(handler);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
};

/** A relay before a server; `events` grow with what it emits: kinds, texts of chunks. */
const startRelay = async (target: URL) => {
  const events: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    const deps = { host: '127.0.0.1', port: 0, authorize: () => 'accepted' as const, target, env: {} };
    const relaying = relayHttp(deps).subscribe({
      next: (event) => {
        if (event.kind === 'bound') resolve(event.url);
        else if (event.kind === 'chunk') events.push(`${event.dir} ${Buffer.from(event.chunk)}`);
        else if (event.kind === 'ended') events.push(`${event.dir} ended`);
        else events.push(event.kind);
      },
      error: reject,
    });
    open.push(relaying);
  });
  return { url, events };
};

describe('relayHttp', () => {
  it('relays requests and responses as they are, and emits a copy of both', async () => {
    const target = await startServer((request, response) => {
      const { 'x-key': key, host, 'accept-encoding': encoding } = request.headers;
      request.on('data', (body: Buffer) => {
        response.writeHead(201, { 'x-own': 'yes', 'content-type': 'text/plain' });
        response.end(`${request.method} ${request.url} ${key} ${host} ${encoding} ${body}`);
      });
    });
    const { url, events } = await startRelay(target);
    const response = await fetch(`${url}/mcp?a=1`, { method: 'POST', headers: { 'x-key': 'k' }, body: 'hi' });
    const text = await response.text();
    expect([response.status, response.headers.get('x-own'), text]).toEqual([
      201,
      'yes',
      `POST /mcp?a=1 k ${target.host} identity hi`,
    ]);
    while (events.at(-1) !== 'closed') await new Promise(setImmediate);
    expect(events).toEqual(['request', 'in hi', 'in ended', 'response', `out ${text}`, 'out ended', 'closed']);
  });

  it.each(['GET', 'HEAD', 'DELETE', 'POST'])(
    'keeps the body of a %s without a length its body, and no request',
    async (method) => {
      const seen: string[] = [];
      const target = await startServer((request, response) => {
        const body: Buffer[] = [];
        request.on('data', (chunk: Buffer) => body.push(chunk));
        request.on('end', () => {
          seen.push(`${request.method} ${request.url} ${Buffer.concat(body).toString().trim()}`);
          response.end();
        });
      });
      const { url, events } = await startRelay(target);
      const hidden = 'POST /hidden HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n';
      const request = httpRequest(`${url}/mcp`, { method, headers: { 'transfer-encoding': 'chunked' } });
      request.on('response', (response) => response.resume());
      request.end(hidden);
      while (events.at(-1) !== 'closed') await new Promise(setImmediate);
      expect(seen).toEqual([`${method} /mcp ${hidden.trim()}`]);
    },
  );

  it('passes an event at once, has the endpoint lead to itself, and ends the request of a client that is gone', async () => {
    let markGone = () => {};
    const gone = new Promise<void>((resolve) => {
      markGone = resolve;
    });
    const target = await startServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: http://${request.headers.host}/message\n\n`);
      response.on('close', () => markGone());
    });
    const { url } = await startRelay(target);
    const given = new AbortController();
    const { body } = await fetch(url, { signal: given.signal });
    const { value } = await (body as ReadableStream<Uint8Array>).getReader().read();
    expect(Buffer.from(value as Uint8Array).toString()).toBe('event: endpoint\ndata: /message\n\n');
    given.abort();
    await gone;
  });

  it('leads redirects of the server to itself', async () => {
    const target = await startServer((request, response) => {
      response.writeHead(307, { location: `http://${request.headers.host}/other` }).end();
    });
    const { url } = await startRelay(target);
    expect((await fetch(url, { redirect: 'manual' })).headers.get('location')).toBe('/other');
  });

  it('answers 502 where the server cannot be reached', async () => {
    const { url, events } = await startRelay(new URL('http://127.0.0.1:1/mcp'));
    const response = await fetch(`${url}/mcp`);
    expect([response.status, await response.text()]).toEqual([
      502,
      expect.stringMatching(/^codex-rx record: http:\/\/127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/),
    ]);
    while (events.at(-1) !== 'closed') await new Promise(setImmediate);
  });

  it.each(['000', '099'])('answers 502 where the server responds with the status %s', async (status) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { url, events } = await startRelay(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`));
    expect((await fetch(`${url}/mcp`)).status).toBe(502);
    while (events.at(-1) !== 'closed') await new Promise(setImmediate);
    server.close();
  });

  it('errors before it listens where the proxy of the environment cannot be used', async () => {
    const deps = { host: '127.0.0.1', port: 0, authorize: () => 'accepted' as const };
    const relayed = relayHttp({ ...deps, target: new URL('http://x.test/'), env: { HTTP_PROXY: 'ftp://p:1' } });
    await expect(firstValueFrom(relayed)).rejects.toThrow(/has the scheme ftp/);
  });
});

const passed = (...chunks: string[]): Promise<string> =>
  text(Readable.from(chunks.map((chunk) => Buffer.from(chunk))).pipe(withoutOrigin('http://up:1')));

describe('withoutOrigin', () => {
  it.each([
    [
      ['event: endpoint\ndata: http://up:1/m?sessionId=1\n\n', 'data: x\n\n'],
      'event: endpoint\ndata: /m?sessionId=1\n\ndata: x\n\n',
    ],
    [['event: endpoint\r\ndata:http://up:1/m\r\n\r\n'], 'event: endpoint\r\ndata:/m\r\n\r\n'],
    [['event: endpoint\ndata: /m\n\n'], 'event: endpoint\ndata: /m\n\n'],
    [['event: endpoint\ndata: http://other/m\n\n'], 'event: endpoint\ndata: http://other/m\n\n'],
    [
      ['data: http://up:1/m\n\n', 'event: endpoint\ndata: http://up:1/m\n\n'],
      'data: http://up:1/m\n\nevent: endpoint\ndata: http://up:1/m\n\n',
    ],
  ])('makes of %j %j', async (chunks, expected) => {
    expect(await passed(...chunks)).toBe(expected);
  });
});
