import { closedEarly, FIRST_PHASE, type Phase, readStep } from '../../../../src/transport/http/direct/readStep';

type Open = Exclude<Phase, { kind: 'over' }>;

const isReusable = true;
const step = (phase: Open, text: string) => {
  const found = readStep(phase, Buffer.from(text, 'latin1'));
  return found && { ...found, ...(found.body && { body: Buffer.from(found.body).toString('latin1') }) };
};
const headed = (left: number): Open => ({ kind: 'head', left });
const chunk = (left: number): Open => ({ kind: 'chunk', left, isReusable });
const [size, gap, trailer] = (['size', 'gap', 'trailer'] as const).map((kind): Open => ({ kind, isReusable }));
const over: Phase = { kind: 'over', isReusable };

describe('readStep', () => {
  it('reads a head, and what body follows it', () => {
    const text = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n';
    expect(step(FIRST_PHASE as Open, `${text}abc`)).toEqual({
      phase: { kind: 'length', left: 3, isReusable },
      used: text.length,
      head: { status: 200, headers: { 'content-length': '3' }, isLast: false },
    });
  });

  it('passes over a response before the one that counts, and takes its bytes off the limit of heads', () => {
    const early = 'HTTP/1.1 103 Early Hints\r\n\r\n';
    expect(step(headed(100), early)).toEqual({ phase: headed(100 - early.length), used: early.length });
  });

  it.each<[string, Open, string, Phase, number, string | undefined]>([
    [
      'part of a body     ',
      { kind: 'length', left: 3, isReusable },
      'ab',
      { kind: 'length', left: 1, isReusable },
      2,
      'ab',
    ],
    ['the rest of a body ', { kind: 'length', left: 1, isReusable }, 'cd', over, 1, 'c'],
    ['a body to the close', { kind: 'untilClose' }, 'abc', { kind: 'untilClose' }, 3, 'abc'],
    ['the size of a chunk', size as Open, '1f;x=y\r\nab', chunk(31), 8, undefined],
    ['the last size      ', size as Open, '0\r\n\r\n', trailer as Open, 3, undefined],
    ['part of a chunk    ', chunk(3), 'ab', chunk(1), 2, 'ab'],
    ['the rest of a chunk', chunk(1), 'c\r\n', gap as Open, 1, 'c'],
    ['the line end of one', gap as Open, '\r\n2', size as Open, 2, undefined],
    ['one without CR     ', gap as Open, '\n2', { kind: 'size', isReusable: false }, 1, undefined],
    ['an empty trailer   ', trailer as Open, '\r\nX', over, 2, undefined],
    ['a trailer          ', trailer as Open, 'X: y\r\n\r\n', over, 8, undefined],
  ])('reads %s', (_, phase, text, next, used, body) => {
    expect(step(phase, text)).toEqual({ phase: next, used, ...(body !== undefined && { body }) });
  });

  it.each<[string, Open, string]>([
    ['a head   ', headed(100), 'HTTP/1.1 200 OK\r\nA: b\r\n'],
    ['a body   ', { kind: 'untilClose' }, ''],
    ['a size   ', size as Open, '1f'],
    ['a gap    ', gap as Open, '\r'],
    ['a trailer', trailer as Open, 'X: y\r\n'],
  ])('needs more bytes where %s has not ended', (_, phase, text) => {
    expect(step(phase, text)).toBeUndefined();
  });

  it.each<[string, Open, string, RegExp]>([
    ['a head beyond its limit ', headed(10), 'HTTP/1.1 200 OK', /the head of its response is longer than 32768 bytes/],
    ['an endless size         ', size as Open, '1'.repeat(32_769), /the size of a chunk is longer/],
    ['an endless trailer      ', trailer as Open, 'X'.repeat(32_769), /the trailer of its response is longer/],
    ['a line that is no size  ', size as Open, 'x\r\n', /a chunk of its response has no size/],
    ['more bytes than the size', gap as Open, 'ab', /a chunk of its response is longer than its size/],
    ['another protocol        ', headed(100), 'SSH-2.0-x\r\n\r\n', /does not speak HTTP\/1.1/],
  ])('throws at %s', (_, phase, text, message) => {
    expect(() => step(phase, text)).toThrow(message);
  });
});

describe('closedEarly', () => {
  it('names where the connection was closed', () => {
    expect(closedEarly(FIRST_PHASE)).toMatchObject({ message: 'no response', code: 'ECONNRESET' });
    expect(closedEarly(size as Open).message).toBe('the connection was closed within the response');
  });
});
