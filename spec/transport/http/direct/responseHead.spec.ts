import { framingOf, toHead } from '../../../../src/transport/http/direct/responseHead';

describe('toHead', () => {
  it('reads the status and the headers, with names in lower case', () => {
    expect(toHead('HTTP/1.1 429 Too Many Requests\r\nRetry-After:  7 \r\nX-Empty:\r\nno header')).toEqual({
      status: 429,
      headers: { 'retry-after': '7', 'x-empty': '' },
      isLast: false,
    });
  });

  it('joins repeated headers, keeps cookies apart, and takes the first of those that there is one of', () => {
    const text =
      'HTTP/1.1 200 OK\r\nA: 1\r\nA: 2\r\nSet-Cookie: b\r\nSet-Cookie: c\r\nContent-Type: d\r\nContent-Type: e';
    expect(toHead(text).headers).toEqual({ a: '1, 2', 'set-cookie': ['b', 'c'], 'content-type': 'd' });
  });

  it('joins a header that goes on in the next line', () => {
    expect(toHead('HTTP/1.1 200 OK\r\nA: 1\r\n\t 2\r\nB: 3').headers).toEqual({ a: '1 2', b: '3' });
  });

  it('takes names that objects have for headers', () => {
    const { headers } = toHead('HTTP/1.1 200 OK\r\n__proto__: x\r\nconstructor: y');
    expect(Object.entries(headers)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });

  it.each([
    ['HTTP/1.1 200', false],
    ['HTTP/1.0 200 OK', true],
    ['HTTP/1.1 200 OK\r\nConnection: Keep-Alive', false],
    ['HTTP/1.1 200 OK\r\nConnection: Close', true],
  ])('knows from %j whether it is the last on its connection', (text, isLast) => {
    expect(toHead(text)).toMatchObject({ status: 200, isLast });
  });

  it.each(['\0', '\x1b[31m', '\rB: c', '\x7f'])('refuses a header with the control character of %j', (value) => {
    expect(() => toHead(`HTTP/1.1 200 OK\r\nA: x${value}y`)).toThrow('holds a control character');
  });

  it.each(['', 'HTTP/2 200', 'HTTP/1.1 20', 'HTTP/1.1 2000', 'HTTP/1.1 099 x', '{"error":1}'])('refuses %j', (text) => {
    expect(() => toHead(text)).toThrow('the server does not speak HTTP/1.1');
  });
});

describe('framingOf', () => {
  it('reads no body where the status has none, by chunks before the length, and up to the end without either', () => {
    const of = (status: number, headers: Record<string, string>) => framingOf({ status, headers, isLast: false }).kind;
    expect(of(204, { 'transfer-encoding': 'chunked' })).toBe('over');
    expect(of(200, { 'transfer-encoding': 'gzip, chunked', 'content-length': '1' })).toBe('size');
    expect(of(200, { 'transfer-encoding': 'xchunked' })).toBe('untilClose');
    expect(of(200, { 'content-length': '1' })).toBe('length');
    expect(of(200, {})).toBe('untilClose');
  });

  it('refuses a length of blanks in time', () => {
    const headers = { 'content-length': `1${' '.repeat(60_000)}1` };
    const beginMs = performance.now();
    expect(() => framingOf({ status: 200, headers, isLast: false })).toThrow('is no number');
    expect(performance.now() - beginMs).toBeLessThan(500);
  });
});
