/** One request on a connection, byte by byte: servers are real, on this machine, and write what a table says. */
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { concatMap, lastValueFrom, reduce } from 'rxjs';
import type { HttpBody, HttpRequest } from '../../../src/io/http/httpRequest';
import { httpPost } from '../../../src/io/http/sendRequest';
import { noBackpressure } from '../../support/models';
import { tokenize } from '../../support/streams';
import { someTurns } from '../../support/turns';

const open: net.Server[] = [];
const accepted: Socket[] = [];

afterEach(() => {
  for (const socket of accepted.splice(0)) socket.destroy();
  for (const server of open.splice(0)) server.close();
});

type Answer = (socket: Socket, text: string, count: number) => void;

/** A server that answers each packet; `requests` are the texts of these. */
const serve = async (answer: Answer) => {
  const requests: string[] = [];
  const server = net.createServer((socket) => {
    accepted.push(socket);
    socket
      .on('error', () => {})
      .on('data', (bytes) => {
        answer(socket, bytes.toString('latin1'), requests.push(bytes.toString('latin1')));
      });
  });
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { requests, authority: `127.0.0.1:${(server.address() as AddressInfo).port}` };
};

const writes = (text: string, isClosed = false) =>
  serve((socket) => (isClosed ? socket.end(text, 'latin1') : socket.write(text, 'latin1')));

const client = () => httpPost({ backpressure: noBackpressure, env: {} });

/** Asks, and reads the whole response as text. */
const ask = (authority: string, own: Partial<HttpRequest<HttpBody>> = {}, post = client()) =>
  lastValueFrom(
    post({ url: `http://${authority}/v1`, headers: {}, body: '', ...own }).pipe(
      concatMap(({ status, body$ }) => body$.pipe(reduce((all, text) => all + text, `${status} `))),
    ),
  );

/** Asks twice; on how many connections? */
const askTwice = async (authority: string) => {
  const post = client();
  const first = await ask(authority, {}, post);
  await someTurns();
  const second = await ask(authority, {}, post);
  return { first, second, connections: accepted.length };
};

const failureOf = (authority: string, own: Partial<HttpRequest> = {}): Promise<Error> =>
  ask(authority, own).then(
    (text) => Promise.reject(new Error(`no failure: ${text}`)),
    (error) => error,
  );

const lines = (...all: string[]): string => all.map((line) => `${line}\r\n`).join('');
const CHUNKED = lines('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '');
const ONE = `${lines('HTTP/1.1 200 OK', 'Content-Length: 1', '')}a`;

describe('a request', () => {
  it('is sent in one piece, with the length of its body in bytes', async () => {
    const { requests, authority } = await writes(ONE);
    await ask(authority, { headers: { 'content-type': 'text/plain' }, body: 'grüße' });
    expect(requests.map((text) => text.split('\r\n'))).toEqual([
      [
        'POST /v1 HTTP/1.1',
        'content-type: text/plain',
        `Host: ${authority}`,
        'Connection: keep-alive',
        'Content-Length: 7',
        '',
        Buffer.from('grüße').toString('latin1'),
      ],
    ]);
  });

  it('is sent in the pieces that its body has, with the length of all', async () => {
    const received: string[] = [];
    const { authority } = await serve((socket, text) => {
      received.push(text);
      if (text.endsWith('z')) socket.end(ONE, 'latin1');
    });
    await ask(authority, { body: ['grü', 'ß'.repeat(400_000), 'ez'].map((text) => Buffer.from(text)) });
    const [, length, body = ''] = /Content-Length: (\d+)\r\n.*?\r\n\r\n(.*)$/s.exec(received.join('')) ?? [];
    expect(Number(length)).toBe(800_006);
    expect(Buffer.from(body, 'latin1').toString()).toBe(`grü${'ß'.repeat(400_000)}ez`);
  });

  it('has no length if there is no body and none is expected, and that of an empty POST', async () => {
    const { requests, authority } = await writes(ONE);
    for (const method of ['GET', 'DELETE'] as const) await ask(authority, { method });
    await ask(authority);
    expect(requests.map((text) => /Content-Length: \d/.exec(text)?.[0])).toEqual([
      undefined,
      undefined,
      'Content-Length: 0',
    ]);
  });

  it('has the login of its address, unless it has one of its own', async () => {
    const { requests, authority } = await writes(ONE);
    const url = `http://me:p%40ss@${authority}/`;
    await ask(authority, { url });
    await ask(authority, { url, headers: { authorization: 'Bearer x' } });
    expect(requests.map((text) => /authorization: .*/i.exec(text)?.[0])).toEqual([
      'Authorization: Basic bWU6cEBzcw==',
      'authorization: Bearer x',
    ]);
  });

  it('takes its host from its headers, and what belongs to the connection from nobody', async () => {
    const { requests, authority } = await writes(ONE);
    const headers = { Host: 'other.test', Connection: 'close', 'Content-Length': '9', 'Transfer-Encoding': 'chunked' };
    await ask(authority, { headers, body: 'a' });
    expect(requests).toEqual([
      'POST /v1 HTTP/1.1\r\nHost: other.test\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\na',
    ]);
  });

  it.each([
    [{ 'a b': 'x' }, 'Header name must be a valid HTTP token ["a b"]'],
    [{ '': 'x' }, 'Header name must be a valid HTTP token [""]'],
    [{ authorization: 'secret\r\nX: y' }, 'Invalid character in header content ["authorization"]'],
    [{ authorization: 'secret\0' }, 'Invalid character in header content ["authorization"]'],
    [{ authorization: 'secret€' }, 'Invalid character in header content ["authorization"]'],
  ])('is refused with the headers %j, by the name of the header', async (headers, message) => {
    const { requests, authority } = await writes(ONE);
    expect(await failureOf(authority, { headers: headers as Record<string, string> })).toMatchObject({
      name: 'TypeError',
      message,
    });
    expect(requests).toEqual([]);
  });

  it.each(['nowhere', 'ftp://model.test/', 'file:///etc/passwd'])('is refused for the address %j', async (url) => {
    expect(await failureOf('', { url })).toMatchObject({ name: 'TypeError' });
  });

  it('is not repeated on a new connection if a part of its response has come', async () => {
    const { authority } = await serve((socket, _, count) =>
      count === 1 ? socket.write(ONE) : socket.end('HTTP/1.1 2'),
    );
    await expect(askTwice(authority)).rejects.toMatchObject({ message: 'no response', code: 'ECONNRESET' });
    expect(accepted).toHaveLength(1);
  });

  it('ends its connection at once if nobody waits for the response', async () => {
    const { requests, authority } = await serve(() => {});
    const silent = client()({ url: `http://${authority}/`, headers: {}, body: '' }).subscribe();
    while (requests.length === 0) await someTurns();
    silent.unsubscribe();
    while (!accepted[0]?.destroyed) await someTurns();
    expect(requests).toHaveLength(1);
  });
});

describe('a response', () => {
  it.each([
    ['a length             ', `${lines('HTTP/1.1 200 OK', 'Content-Length: 3', '')}abc`, '200 abc', 1],
    ['no reason            ', `${lines('HTTP/1.1 200', 'Content-Length: 3', '')}abc`, '200 abc', 1],
    ['an empty body        ', lines('HTTP/1.1 200 OK', 'Content-Length: 0', ''), '200 ', 1],
    ['no content           ', lines('HTTP/1.1 204 No Content', ''), '204 ', 1],
    ['nothing that changed ', lines('HTTP/1.1 304 Not Modified', 'Content-Length: 9', ''), '304 ', 1],
    ['chunks               ', `${CHUNKED}2\r\nab\r\n1\r\nc\r\n0\r\n\r\n`, '200 abc', 1],
    [
      'chunks with more     ',
      `${CHUNKED}2;x="y"\r\nab\r\n0A\r\n0123456789\r\n00\r\nX: y\r\n\r\n`,
      '200 ab0123456789',
      1,
    ],
    ['a response before it ', `${lines('HTTP/1.1 103 Early Hints', 'Link: x', '')}${ONE}`, '200 a', 1],
    ['the last of its kind ', `${lines('HTTP/1.1 200 OK', 'Connection: close', 'Content-Length: 1', '')}a`, '200 a', 2],
    ['an old server        ', `${lines('HTTP/1.0 200 OK', 'Content-Length: 1', '')}a`, '200 a', 2],
    ['bytes behind its end ', `${ONE}HTTP/1.1 408 Late\r\nContent-Length: 0\r\n\r\n`, '200 a', 2],
  ])('with %s is read, and its connection kept if it can be', async (_, text, body, connections) => {
    const { authority } = await writes(text);
    expect(await askTwice(authority)).toEqual({ first: body, second: body, connections });
  });

  it('is read up to the end of the connection without a length', async () => {
    const { authority } = await writes(`${lines('HTTP/1.1 200 OK', '')}abc`, true);
    expect(await ask(authority)).toBe('200 abc');
  });

  it('has the names of its headers in lower case; repeated ones are joined, cookies kept apart', async () => {
    const { authority } = await writes(
      lines(
        'HTTP/1.1 204 No',
        'A: 1',
        'A: 2',
        'Set-Cookie: b',
        'Set-Cookie: c',
        'Content-Type: d',
        'Content-Type: e',
        '',
      ),
    );
    const { status, statusText, headers } = await lastValueFrom(
      client()({ url: `http://${authority}/`, headers: {}, body: '' }),
    );
    expect({ status, statusText, headers: { ...headers } }).toEqual({
      status: 204,
      statusText: 'No Content',
      headers: { a: '1, 2', 'set-cookie': ['b', 'c'], 'content-type': 'd' },
    });
  });

  it('is the same however its bytes come', async () => {
    const text = `${lines('HTTP/1.1 100 Continue', '')}${lines('HTTP/1.1 429 Slow', 'A: 1', 'Transfer-Encoding: Chunked', '')}5\r\nh\r\n\n!\r\na;e\r\n0123456789\r\n0\r\nT: 1\r\n\r\n`;
    let places: number[] = [];
    const { authority } = await serve((socket) => {
      socket.setNoDelay(true);
      for (const piece of tokenize(Buffer.from(text), places)) socket.write(piece);
    });
    const post = client();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 6 }), async (given) => {
        places = given;
        expect(await ask(authority, {}, post)).toBe('429 h\r\n\n!0123456789');
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['what is no HTTP            ', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', 'its response begins with "SSH-2.0-OpenSSH_9.2"'],
    ['a document                 ', '{"error":1}\r\n\r\n', 'its response begins with "{\\"error\\":1}"'],
    ['another version            ', 'HTTP/2 200\r\n\r\n', 'the server does not speak HTTP/1.1: Expected dot'],
    ['a status that none has     ', 'HTTP/1.1 099 x\r\n\r\n', 'its response has the status 99'],
    ['a control character        ', 'HTTP/1.1 200 OK\r\nA: x\x1b[31my\r\n\r\n', 'Invalid header value char'],
    ['a head without end         ', `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(40_000)}`, 'is longer than 32768 bytes'],
    ['a length that is none       ', lines('HTTP/1.1 200 OK', 'Content-Length: 1e3', ''), 'in Content-Length'],
    [
      'two lengths                ',
      lines('HTTP/1.1 200', 'Content-Length: 1', 'Content-Length: 2', ''),
      'Duplicate Content-Length',
    ],
    [
      'both kinds of length       ',
      `${lines('HTTP/1.1 200 OK', 'Content-Length: 9', 'Transfer-Encoding: chunked', '')}`,
      'does not speak HTTP/1.1',
    ],
    [
      'heads before it without end ',
      lines('HTTP/1.1 100 Continue', '').repeat(2_000),
      'more than 100 responses with a status of 1xx',
    ],
    ['another protocol           ', lines('HTTP/1.1 101 Switching Protocols', ''), 'its response has the status 101'],
    [
      'another protocol, by name  ',
      lines('HTTP/1.1 101 Switching', 'Connection: upgrade', 'Upgrade: x', ''),
      'the server changed to another protocol',
    ],
    ['a chunk without size       ', `${CHUNKED}zz\r\n`, 'Invalid character in chunk size'],
    ['a chunk of a negative size ', `${CHUNKED}-1\r\n`, 'Invalid character in chunk size'],
    ['a chunk of a huge size     ', `${CHUNKED}${'f'.repeat(17)}\r\n`, 'Chunk size overflow'],
    ['a size without end         ', `${CHUNKED}1;${'x'.repeat(40_000)}`, 'Chunk extensions overflow'],
    [
      'a trailer without end      ',
      `${CHUNKED}0\r\n${'x'.repeat(40_000)}`,
      'trailer of its response is longer than 32768 bytes',
    ],
  ])('is refused with %s, and its connection closed', async (_, text, reason) => {
    const { authority } = await writes(text);
    expect((await failureOf(authority)).message).toContain(reason);
    while (!accepted[0]?.destroyed) await someTurns();
  });

  it.each([
    ['before the head  ', '', 'no response'],
    ['in its head      ', 'HTTP/1.1 200', 'no response'],
    ['in a body        ', `${lines('HTTP/1.1 200 OK', 'Content-Length: 3', '')}ab`, 'closed within the response'],
    ['between chunks   ', `${CHUNKED}1\r\na\r\n`, 'closed within the response'],
    ['behind the chunks', `${CHUNKED}0\r\n`, 'closed within the response'],
  ])('errors if the server closes the connection %s', async (_, text, reason) => {
    const { authority } = await writes(text, true);
    expect(await failureOf(authority)).toMatchObject({ message: expect.stringContaining(reason), code: 'ECONNRESET' });
  });
});

describe('a body', () => {
  it('brings what stands before a fault, and then why it ended', async () => {
    const { authority } = await serve((socket) =>
      socket.write(`${CHUNKED}1\r\na\r\n`, () => setTimeout(() => socket.write('zz\r\n'), 20)),
    );
    const seen: string[] = [];
    await new Promise<void>((resolve) => {
      client()({ url: `http://${authority}/`, headers: {}, body: '' })
        .pipe(concatMap(({ body$ }) => body$))
        .subscribe({ next: (text) => seen.push(text), error: ({ message }) => resolve(void seen.push(message)) });
    });
    expect(seen).toEqual(['a', 'the server does not speak HTTP/1.1: Invalid character in chunk size']);
  });

  it('errors for a reader who comes too late', async () => {
    const { authority } = await writes(ONE);
    const { body$ } = await lastValueFrom(client()({ url: `http://${authority}/`, headers: {}, body: '' }));
    await expect(lastValueFrom(body$)).rejects.toThrow('read too late');
  });

  it('is read on without a reader, for 100 ms, so that its connection can be used again', async () => {
    let end = '';
    const { authority } = await serve((socket) => {
      socket.write(`${CHUNKED}1\r\na\r\n`);
      if (end !== '') setImmediate(() => socket.write(end));
    });
    const post = client();
    const drop = () => lastValueFrom(post({ url: `http://${authority}/`, headers: {}, body: '' }));
    await drop();
    while (!accepted[0]?.destroyed) await someTurns();
    end = '0\r\n\r\n';
    await drop();
    await someTurns();
    await drop();
    expect(accepted).toHaveLength(2);
  });

  it('that is packed is read on without a reader too', async () => {
    const packed = gzipSync(Buffer.alloc(3_000_000, 'x'));
    const { authority } = await serve((socket) => {
      socket.write(lines('HTTP/1.1 200 OK', 'Content-Encoding: gzip', `Content-Length: ${packed.length}`, ''));
      socket.write(packed);
    });
    const post = client();
    for (const _ of [1, 2]) {
      await new Promise<void>((resolve) => {
        const read = post({ url: `http://${authority}/`, headers: {}, body: '' })
          .pipe(concatMap(({ body$ }) => body$))
          .subscribe(() => {
            read.unsubscribe();
            resolve();
          });
      });
      await someTurns();
    }
    expect(accepted).toHaveLength(1);
  });
});
