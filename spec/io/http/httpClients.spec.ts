/** The way of a request: straight or through a proxy, and which certificates are trusted. Servers are real, on this machine. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http, { type Server } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createGunzip, gzipSync } from 'node:zlib';
import { concatMap, lastValueFrom, reduce, take } from 'rxjs';
import { httpPost } from '../../../src/io/http/httpPost';
import { noBackpressure } from '../../support/models';
import { someTurns } from '../../support/turns';

const fixture = (name: string) => join(__dirname, '../../fixtures/tls', name);
const CERTIFICATE = fixture('model.test.pem');
const tls = { cert: readFileSync(CERTIFICATE), key: readFileSync(fixture('model.test.key')) };

const open: Server[] = [];
const sockets = new Set<net.Socket>();

const portOf = async (server: Server): Promise<number> => {
  open.push(server);
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of open.splice(0)) server.close();
});

const echo = (request: http.IncomingMessage, response: http.ServerResponse) => {
  request.pipe(response);
};

/** A proxy that leads every host to one port of this machine, and keeps what it was asked for. */
const openProxy = async (target: number, refusal?: string) => {
  const seen: [string, string | undefined][] = [];
  const server = http.createServer((request, response) => {
    seen.push([`${request.method} ${request.url}`, request.headers['proxy-authorization']]);
    request.pipe(http.request({ port: target, method: 'POST', path: '/' }, (back) => back.pipe(response)));
  });
  server.on('connect', (request, socket: net.Socket) => {
    seen.push([`CONNECT ${request.url}`, request.headers['proxy-authorization']]);
    if (refusal !== undefined) return socket.end(refusal);
    const back = net.connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      back.pipe(socket).pipe(back);
    });
    sockets.add(back);
  });
  return { seen, port: await portOf(server) };
};

const ask = (env: Record<string, string>, url: string, connectMs?: number) =>
  lastValueFrom(
    httpPost({ backpressure: noBackpressure, env })({ url, headers: {}, body: 'hello', connectMs }).pipe(
      concatMap(({ status, body$ }) => body$.pipe(reduce((all, text) => all + text, `${status} `))),
    ),
  );

describe('httpClients', () => {
  it('sends a request through the proxy of its scheme, with the password of the address', async () => {
    const proxy = await openProxy(await portOf(http.createServer(echo)));
    const env = { HTTP_PROXY: `http://me:pass@127.0.0.1:${proxy.port}` };
    expect(await ask(env, 'http://model.test/v1')).toBe('200 hello');
    const basic = `Basic ${Buffer.from('me:pass').toString('base64')}`;
    expect(proxy.seen).toEqual([['POST http://model.test/v1', basic]]);
  });

  it('unpacks what comes compressed through a proxy, as long as somebody reads it', async () => {
    const packed = gzipSync(Buffer.alloc(3_000_000, 'x'));
    const zipped: http.RequestListener = (_, response) =>
      void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(packed);
    const server = http.createServer(zipped); // it is the proxy
    const env = { HTTP_PROXY: `127.0.0.1:${await portOf(server)}` };
    expect(await ask(env, 'http://model.test/v1')).toHaveLength('200 '.length + 3_000_000);
    const ended = jest.spyOn(createGunzip().constructor.prototype, '_destroy');
    const read$ = httpPost({ backpressure: noBackpressure, env })({
      url: 'http://model.test/v1',
      headers: {},
      body: '',
    });
    await lastValueFrom(read$.pipe(concatMap(({ body$ }) => body$.pipe(take(1)))));
    await someTurns();
    expect(ended).toHaveBeenCalledTimes(1);
    ended.mockRestore();
  });

  it('opens a tunnel for TLS, and uses it again', async () => {
    const proxy = await openProxy(await portOf(https.createServer(tls, echo)));
    const env = { HTTPS_PROXY: `127.0.0.1:${proxy.port}`, SSL_CERT_FILE: CERTIFICATE };
    const post = httpPost({ backpressure: noBackpressure, env });
    const once = () =>
      lastValueFrom(
        post({ url: 'https://model.test/v1', headers: {}, body: 'a' }).pipe(concatMap(({ body$ }) => body$)),
      );
    expect(await once()).toBe('a');
    await someTurns();
    expect(await once()).toBe('a');
    expect(proxy.seen).toEqual([['CONNECT model.test:443', undefined]]);
  });

  it('goes straight where NO_PROXY names the host', async () => {
    const proxy = await openProxy(1);
    const env = { HTTP_PROXY: `127.0.0.1:${proxy.port}`, NO_PROXY: 'nowhere.invalid' };
    await expect(ask(env, 'http://nowhere.invalid:1/v1')).rejects.toThrow('nowhere.invalid');
    expect(proxy.seen).toEqual([]);
  });

  it('reports the response of a proxy that refuses', async () => {
    const proxy = await openProxy(1, 'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 2\r\n\r\nno');
    expect(await ask({ HTTPS_PROXY: `127.0.0.1:${proxy.port}` }, 'https://model.test/v1')).toBe('407 no');
  });

  it('keeps the code of a certificate that is not trusted behind a proxy, and none of a proxy that is not there', async () => {
    const proxy = await openProxy(await portOf(https.createServer(tls, echo)));
    const codeOf = (env: Record<string, string>) =>
      ask(env, 'https://model.test/v1').then(String, ({ code }: NodeJS.ErrnoException) => code);
    expect(await codeOf({ HTTPS_PROXY: `127.0.0.1:${proxy.port}` })).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(await codeOf({ HTTPS_PROXY: '127.0.0.1:1' })).toBe('EPROXY');
  });

  it.each([
    ['SSL_CERT_FILE', { SSL_CERT_FILE: CERTIFICATE }],
    ['CODEX_CA_CERTIFICATE before it', { CODEX_CA_CERTIFICATE: CERTIFICATE, SSL_CERT_FILE: '/nowhere' }],
    ['NODE_EXTRA_CA_CERTS besides', { NODE_EXTRA_CA_CERTS: CERTIFICATE, SSL_CERT_FILE: fixture('other.pem') }],
  ])('trusts the certificates of %s', async (_, env) => {
    const port = await portOf(https.createServer(tls, echo));
    expect(await ask(env, `https://localhost:${port}/v1`)).toBe('200 hello');
  });

  it.each([
    ['a certificate nobody vouches for', {}, 'self-signed certificate'],
    [
      'a file that is missing',
      { SSL_CERT_FILE: '/nowhere.pem' },
      'SSL_CERT_FILE names /nowhere.pem, which cannot be read',
    ],
    ['a file without certificates', { SSL_CERT_FILE: __filename }, 'which holds no certificate in PEM'],
    [
      'a proxy that is not an address',
      { HTTPS_PROXY: 'http://me:pass@ /' },
      'that HTTPS_PROXY of the environment names is not a URL',
    ],
    [
      'an escape that is none',
      { https_proxy: 'http://me:pass@%zz@127.0.0.1:1' },
      'that https_proxy of the environment names has a % in',
    ],
    ['a proxy of another kind', { HTTPS_PROXY: 'socks5://me:pass@p:1080' }, 'has the scheme socks5'],
    ['a proxy that is not there', { HTTPS_PROXY: 'http://me:pass@127.0.0.1:1' }, 'through the proxy 127.0.0.1:1: '],
  ])('reports %s, and no password', async (_, env, text) => {
    const port = await portOf(https.createServer(tls, echo));
    const host = Object.keys(env).some((name) => /proxy/i.test(name)) ? 'model.test' : `localhost:${port}`;
    const error: Error = await ask(env as Record<string, string>, `https://${host}/v1`).then(
      String,
      (reason) => reason,
    );
    expect(error.message).toContain(text);
    expect(error.message).not.toContain('pass@');
  });
});

describe('limitConnect', () => {
  it('ends a request that has no connection in time: a proxy or a handshake that hangs counts', async () => {
    const silent = await portOf(net.createServer() as Server);
    const late = 'no connection within 0.05 s';
    await expect(ask({}, `https://localhost:${silent}/v1`, 50)).rejects.toThrow(late);
    await expect(ask({ HTTPS_PROXY: `127.0.0.1:${silent}` }, 'https://model.test/v1', 50)).rejects.toThrow(late);
  });

  it('leaves a request alone once it is connected', async () => {
    const slow = http.createServer((_, response) => {
      jest.advanceTimersByTime(60_000);
      response.end('late');
    });
    const port = await portOf(slow);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    expect(await ask({}, `http://127.0.0.1:${port}/v1`, 200)).toBe('200 late');
    jest.useRealTimers();
  });
});
