import fc from 'fast-check';
import type { ResponseHead } from '../../../../src/transport/http/direct/responseHead';
import { type ResponsePiece, responseReader } from '../../../../src/transport/http/direct/responseReader';
import { cuts, tokenize } from '../../../support/streams';

type Read = { head?: ResponseHead | undefined; body: string; end?: { isReusable: boolean } | undefined };

/** What the pieces bring together; `isClosed`: the server ends the connection behind them. */
const readAll = (pieces: readonly Uint8Array[], how: { isClosed?: boolean } = {}): Read => {
  const reader = responseReader();
  const parts: ResponsePiece[] = [];
  for (const piece of pieces) if (parts.at(-1)?.end === undefined) parts.push(reader.read(Buffer.from(piece)));
  if (how.isClosed) parts.push(reader.close());
  const { error, end } = parts.at(-1) ?? {};
  if (error) throw error;
  return {
    head: parts.find(({ head }) => head)?.head,
    body: Buffer.concat(parts.flatMap(({ body }) => body)).toString('latin1'),
    end,
  };
};
const readText = (text: string, how?: { isClosed: boolean }): Read => readAll([Buffer.from(text, 'latin1')], how);

const lines = (...all: string[]): string => all.map((line) => `${line}\r\n`).join('');
const CHUNKED = lines('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '');

describe('responseReader', () => {
  it.each([
    ['a length             ', `${lines('HTTP/1.1 200 OK', 'Content-Length: 3', '')}abc`, 'abc', true],
    ['a length twice       ', `${lines('HTTP/1.1 200', 'Content-Length: 3, 3', '')}abc`, 'abc', true],
    ['an empty body        ', lines('HTTP/1.1 200 OK', 'Content-Length: 0', ''), '', true],
    ['no content           ', lines('HTTP/1.1 204 No Content', ''), '', true],
    ['nothing that changed ', lines('HTTP/1.1 304 Not Modified', 'Content-Length: 9', ''), '', true],
    ['chunks               ', `${CHUNKED}2\r\nab\r\n1\r\nc\r\n0\r\n\r\n`, 'abc', true],
    [
      'chunks with more     ',
      `${CHUNKED}2;x="y"\r\nab\r\n0A\r\n0123456789\r\n00\r\nX: y\r\n\r\n`,
      'ab0123456789',
      true,
    ],
    ['lines without CR     ', 'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1\na\n0\n\n', 'a', false],
    ['a size with zeros    ', `${CHUNKED}${'0'.repeat(40)}2\r\nab\r\n000\r\n\r\n`, 'ab', true],
    ['a space behind a size', `${CHUNKED}2 \r\nab\r\n0\r\n\r\n`, 'ab', false],
    ['a size without CR    ', `${CHUNKED}2;x\nab\r\n0\r\n\r\n`, 'ab', false],
    ['a CR within a size   ', `${CHUNKED}2;\rx\r\nab\r\n0\r\n\r\n`, 'ab', false],
    ['a chunk without CR   ', `${CHUNKED}2\r\nab\n0\r\n\r\n`, 'ab', false],
    ['an end without CR    ', `${CHUNKED}2\r\nab\r\n0\r\n\n`, 'ab', false],
    ['a trailer of controls', `${CHUNKED}0\r\nX: \x01\r\n\r\n`, '', false],
    ['a trailer of no field', `${CHUNKED}0\r\nHTTP/1.1 200 OK\r\n\r\n`, '', false],
    ['a response before it ', `${lines('HTTP/1.1 103 Early Hints', 'Link: x', '')}${CHUNKED}0\r\n\r\n`, '', true],
    ['the last of its kind ', `${lines('HTTP/1.1 200 OK', 'Connection: close', 'Content-Length: 1', '')}a`, 'a', false],
    ['an old server        ', `${lines('HTTP/1.0 200 OK', 'Content-Length: 1', '')}a`, 'a', false],
    [
      'both kinds of length ',
      `${lines('HTTP/1.1 200 OK', 'Content-Length: 9', 'Transfer-Encoding: chunked', '')}0\r\n\r\n`,
      '',
      false,
    ],
    ['bytes behind its end ', `${lines('HTTP/1.1 200 OK', 'Content-Length: 1', '')}aHTTP/1.1 200 OK\r\n`, 'a', false],
  ])('reads %s', (_, text, body, isReusable) => {
    expect(readText(text)).toMatchObject({ body, end: { isReusable } });
  });

  it.each([
    ['no length         ', lines('HTTP/1.1 200 OK', '')],
    ['an unknown coding ', lines('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked, gzip', 'Content-Length: 1', '')],
  ])('reads a body with %s up to the end of the connection', (_, head) => {
    expect(readText(`${head}abc`)).toMatchObject({ body: 'abc', end: undefined });
    expect(readText(`${head}abc`, { isClosed: true })).toMatchObject({ body: 'abc', end: { isReusable: false } });
  });

  it('reads the same however the bytes come', () => {
    const text = `${lines('HTTP/1.1 100 Continue', '')}${lines('HTTP/1.1 429 Slow', 'A: 1', 'Transfer-Encoding: Chunked', '')}5\r\nh\r\n\n!\r\na;e\r\n0123456789\r\n0\r\nT: 1\r\n\r\n`;
    const whole = readText(text);
    expect(whole).toMatchObject({
      head: { status: 429, headers: { a: '1' } },
      body: 'h\r\n\n!0123456789',
      end: { isReusable: true },
    });
    fc.assert(fc.property(cuts, (places) => expect(readAll(tokenize(Buffer.from(text), places))).toEqual(whole)));
  });

  it('reads back any body in any chunks', () => {
    const bodies = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 8 });
    fc.assert(
      fc.property(bodies, cuts, (chunks, places) => {
        const framed = chunks.map((chunk) =>
          Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]),
        );
        const bytes = Buffer.concat([Buffer.from(CHUNKED), ...framed, Buffer.from('0\r\n\r\n')]);
        const { body, end } = readAll(tokenize(bytes, places));
        expect([body, end]).toEqual([Buffer.concat(chunks).toString('latin1'), { isReusable: true }]);
      }),
    );
  });

  it.each([
    ['what is no HTTP            ', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', 'its response begins with "SSH-2.0-OpenSSH_9.2"'],
    [
      'a head without end         ',
      `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(40_000)}`,
      'the head of its response is longer than 32768 bytes',
    ],
    ['a chunk without size       ', `${CHUNKED}zz\r\n`, 'a chunk of its response has no size'],
    ['a chunk of a negative size ', `${CHUNKED}-1\r\n`, 'a chunk of its response has no size'],
    ['a chunk of a huge size     ', `${CHUNKED}${'f'.repeat(13)}\r\n`, 'a chunk of its response has no size'],
    ['a chunk longer than it says', `${CHUNKED}1\r\nabc`, 'a chunk of its response is longer than its size'],
    [
      'a line without end         ',
      `${CHUNKED}1;${'x'.repeat(40_000)}`,
      'the size of a chunk is longer than 32768 bytes',
    ],
    [
      'a trailer without end      ',
      `${CHUNKED}0\r\n${'x'.repeat(40_000)}`,
      'the trailer of its response is longer than 32768 bytes',
    ],
    [
      'trailers without end       ',
      `${CHUNKED}0\r\n${'x: y\r\n'.repeat(7_000)}`,
      'the trailer of its response is longer than 32768 bytes',
    ],
    [
      'heads before it without end',
      lines('HTTP/1.1 100 Continue', '').repeat(2_000),
      'the head of its response is longer than 32768 bytes',
    ],
    [
      'a length that is none      ',
      lines('HTTP/1.1 200 OK', 'Content-Length: 1e3', ''),
      'the length of its response is no number',
    ],
    [
      'two lengths                ',
      lines('HTTP/1.1 200 OK', 'Content-Length: 1', 'Content-Length: 2', ''),
      'the length of its response is no number',
    ],
    [
      'another protocol           ',
      lines('HTTP/1.1 101 Switching Protocols', ''),
      'the server changed to another protocol',
    ],
  ])('refuses %s', (_, text, reason) => {
    expect(() => readText(text)).toThrow(reason);
  });

  it('gives what stands before the fault', () => {
    const { head, body, error } = responseReader().read(Buffer.from(`${CHUNKED}1\r\na\r\nzz\r\n`));
    expect([head?.status, Buffer.concat(body).toString(), error?.message]).toEqual([
      200,
      'a',
      expect.stringContaining('no size'),
    ]);
  });

  it.each([
    ['before the head  ', 'HTTP/1.1 200', 'no response'],
    ['in a body        ', `${lines('HTTP/1.1 200 OK', 'Content-Length: 3', '')}ab`, 'closed within the response'],
    ['between chunks   ', `${CHUNKED}1\r\na\r\n`, 'closed within the response'],
    ['behind the chunks', `${CHUNKED}0\r\n`, 'closed within the response'],
  ])('errors when the server closes the connection %s', (_, text, reason) => {
    expect(() => readText(text, { isClosed: true })).toThrow(reason);
  });
});
