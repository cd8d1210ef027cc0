/** The way of a request: straight or through a proxy, and which certificates are trusted. Servers are real, on this machine. */

import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import http, { type Server } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { concatMap, lastValueFrom, reduce, take } from 'rxjs';
import { isExcluded, proxyOf, trustOf } from '../../../src/io/http/httpClients';
import { httpPost, limitConnect } from '../../../src/io/http/sendRequest';
import { SetupError } from '../../../src/io/stdio/setupError';
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

  it.each([100, 201, 206, 302])(
    'takes no response of a proxy for one of the server: %i instead of a tunnel',
    async (status) => {
      const proxy = await openProxy(1, `HTTP/1.1 ${status} Forged\r\nContent-Length: 2\r\n\r\nno`);
      const asked = ask({ HTTPS_PROXY: `127.0.0.1:${proxy.port}` }, 'https://model.test/v1');
      await expect(asked).rejects.toThrow(`the proxy opens no tunnel, and answers with the status ${status}`);
    },
  );

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

describe('limitConnect, by itself', () => {
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

const certificate = join(__dirname, '../../fixtures/tls/model.test.pem');

const key = join(__dirname, '../../fixtures/tls/no.such.pem');

describe('trustOf', () => {
  it.each([
    ['nothing is set', {}],
    ['a variable is blank', { SSL_CERT_FILE: ' ' }],
    ['only the variable that Node reads itself is set', { NODE_EXTRA_CA_CERTS: key }],
  ])('leaves the authorities to Node where %s', (_, env) => {
    expect(trustOf(env)).toEqual({});
  });

  it.each(['SSL_CERT_FILE', 'CODEX_CA_CERTIFICATE'])('trusts the authorities in the file of %s', (name) => {
    expect(Object.keys(trustOf({ [name]: ` ${certificate} ` }))).toEqual(['secureContext']);
  });

  it.each([
    ['a file that is not there', { SSL_CERT_FILE: key }, `SSL_CERT_FILE names ${key}, which cannot be read: ENOENT`],
    [
      'a file without a certificate',
      { SSL_CERT_FILE: __filename },
      `SSL_CERT_FILE names ${__filename}, which holds no certificate in PEM`,
    ],
    [
      'the file of Node where another is set too',
      { NODE_EXTRA_CA_CERTS: key, SSL_CERT_FILE: certificate },
      `NODE_EXTRA_CA_CERTS names ${key}, which cannot be read`,
    ],
    [
      'the first variable that is set',
      { CODEX_CA_CERTIFICATE: key, SSL_CERT_FILE: certificate },
      `CODEX_CA_CERTIFICATE names ${key}, which cannot be read`,
    ],
  ])('names the variable and the path of %s', (_, env, text) => {
    expect(() => trustOf(env)).toThrow(SetupError);
    expect(() => trustOf(env)).toThrow(text);
  });
});

const at = (host: string, port: string | undefined = '80') => ({ host, port });

describe('isExcluded', () => {
  it.each([
    ['10.0.0.0/8', '10.1.2.3', true],
    ['10.0.0.0/8', '11.1.2.3', false],
    ['10.1.2.3/32', '10.1.2.3', true],
    ['0.0.0.0/0', '9.9.9.9', true],
    ['10.0.0.0/33', '10.0.0.0', false],
    ['10.0.0.0/8', 'ten.example', false],
    ['fd00::/8', 'fd12::1', true],
    ['fd00::/8', 'fe80::1', false],
    ['fd00::/8', '10.0.0.1', false],
    ['fd00::1', 'fd00::1', true],
    ['FD00:0:0::1', 'fd00::1', true],
    ['[fd00::1]', 'fd00::1', true],
    ['[fd00::1]:80', 'fd00::1', true],
    ['[fd00::1]:81', 'fd00::1', false],
    ['a.example, 10.0.0.0/8 b.example', '10.9.9.9', true],
    ['a.example.', 'a.example', true],
    ['a.example', 'a.example.', true],
    ['.a.example.:80', 'b.a.example.', true],
    ['a.example.:81', 'a.example', false],
    ['.', 'a.example.', false],
    ['', 'a.example', false],
    ['/8', 'a.example', false],
  ])('reads %j for %s: %s', (list, host, expected) => expect(isExcluded(list, at(host))).toBe(expected));

  it('finds each address in the range that begins with it, and reads any list', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.string(), (host, bits, more) => {
        expect(isExcluded(`${more},${host}/${bits}`, at(host))).toBe(true);
        expect(typeof isExcluded(more, at(host))).toBe('boolean');
      }),
    );
  });
});

describe('limitConnect', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  /** A request with a limit of 5 s, and the errors that it was late with. */
  const limited = (connectMs = 5_000) => {
    const request = new EventEmitter();
    const late: (Error & { code?: string })[] = [];
    const withSocket = (use: (socket: Duplex) => void) => request.once('socket', use);
    const lift = limitConnect({ connectMs, onLate: (error) => late.push(error), withSocket });
    return { request, late, lift };
  };
  const socket = (own: { connecting: boolean; secureConnecting?: boolean }) => Object.assign(new EventEmitter(), own);

  it('reports a request without a socket, once', () => {
    const { late } = limited();
    jest.advanceTimersByTime(4_999);
    expect(late).toEqual([]);
    jest.advanceTimersByTime(60_000);
    expect(late.map(({ code, message }) => [code, message])).toEqual([['ECONNECTTIMEOUT', 'no connection within 5 s']]);
  });

  it.each([
    ['a socket that is connected    ', { connecting: false }, undefined, 0],
    ['one that connects             ', { connecting: true }, 'connect', 0],
    ['one that does not             ', { connecting: true }, undefined, 1],
    ['TLS that is ready             ', { connecting: false, secureConnecting: false }, undefined, 0],
    ['TLS without its handshake     ', { connecting: false, secureConnecting: true }, 'connect', 1],
    ['TLS with its handshake        ', { connecting: true, secureConnecting: true }, 'secureConnect', 0],
  ])('with %s', (_, own, event, count) => {
    const { request, late } = limited();
    const connection = socket(own);
    request.emit('socket', connection);
    if (event !== undefined) connection.emit(event);
    jest.advanceTimersByTime(5_100); // the limit, and the turns of the event loop after it
    expect(late).toHaveLength(count);
  });

  it('reports nothing once the limit is lifted, and has no timer without a limit', () => {
    const lifted = limited();
    lifted.lift();
    const unlimited = limited(0);
    expect(jest.getTimerCount()).toBe(0);
    jest.advanceTimersByTime(60_000);
    expect([lifted.late, unlimited.late]).toEqual([[], []]);
  });
});

const P = 'http://proxy:8080';

describe('proxyOf', () => {
  it.each([
    ['nothing set', {}, 'https://a.example/v1', undefined],
    ['the variable of https', { HTTPS_PROXY: P }, 'https://a.example/v1', P],
    ['the variable of http only', { HTTP_PROXY: P }, 'https://a.example/v1', undefined],
    ['the variable of http', { HTTP_PROXY: P }, 'http://a.example/v1', P],
    ['the variable for all', { ALL_PROXY: P }, 'http://a.example/v1', P],
    ['small letters first', { https_proxy: P, HTTPS_PROXY: 'http://other' }, 'https://a.example', P],
    ['a blank variable', { HTTPS_PROXY: ' ' }, 'https://a.example', undefined],
    ['a proxy without a scheme', { HTTPS_PROXY: 'proxy:8080' }, 'https://a.example', P],
    ['a scheme that is none of ours', { ALL_PROXY: 'socks5://p:1080' }, 'https://a.example', 'socks5://p:1080'],
    ['this machine', { HTTP_PROXY: P }, 'http://localhost:11434/v1', undefined],
    ['this machine by number', { HTTP_PROXY: P }, 'http://127.0.0.1:11434/v1', undefined],
    ['this machine by number of version 6', { HTTP_PROXY: P }, 'http://[::1]:11434/v1', undefined],
    ['all excluded', { HTTPS_PROXY: P, NO_PROXY: '*' }, 'https://a.example', undefined],
    ['the host excluded', { HTTPS_PROXY: P, NO_PROXY: 'b.example, A.example' }, 'https://a.example', undefined],
    ['a domain excluded', { HTTPS_PROXY: P, no_proxy: 'example' }, 'https://a.example', undefined],
    ['a domain with a dot', { HTTPS_PROXY: P, NO_PROXY: '.example' }, 'https://a.example', undefined],
    ['a domain with a star', { HTTPS_PROXY: P, NO_PROXY: '*.example' }, 'https://a.example', undefined],
    ['another domain', { HTTPS_PROXY: P, NO_PROXY: 'xample,,' }, 'https://a.example', P],
    ['the port excluded', { HTTPS_PROXY: P, NO_PROXY: 'a.example:443' }, 'https://a.example', undefined],
    ['another port excluded', { HTTPS_PROXY: P, NO_PROXY: 'a.example:8443' }, 'https://a.example', P],
    ['a number excluded', { HTTP_PROXY: P, NO_PROXY: '10.0.0.1' }, 'http://10.0.0.1/v1', undefined],
    ['a number of version 6 excluded', { HTTP_PROXY: P, NO_PROXY: '[fd00::1]:80' }, 'http://[fd00::1]/v1', undefined],
  ])('knows %s', (_, env, url, proxy) => {
    expect(proxyOf(env as Record<string, string>, url)?.address).toBe(proxy);
  });

  it('names the variable that counts', () => {
    expect(proxyOf({ https_proxy: ' ', HTTPS_PROXY: P, ALL_PROXY: 'x' }, 'https://a.example')?.variable).toBe(
      'HTTPS_PROXY',
    );
    expect(proxyOf({ all_proxy: P }, 'https://a.example')?.variable).toBe('all_proxy');
  });
});
