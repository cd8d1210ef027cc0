import fc from 'fast-check';
import { map } from 'rxjs';
import { byFraming, cutFrames, type Frame, splitMessages, toFramed } from '../../../src/streams/bytes/splitMessages';
import { marbles } from '../../support/marbles';
import { cuts, through, tokenize } from '../../support/streams';

describe('toFramed', () => {
  it.each([
    ['lines', 'é', 'é'],
    ['contentLength', 'é', 'Content-Length: 3\r\n\r\né'],
  ] as const)('frames a message in %s, counting bytes and the line end', (framing, message, expected) => {
    expect(toFramed(framing)(message)).toBe(expected);
  });
});

describe('splitMessages', () => {
  it.each(['lines', 'contentLength'] as const)(
    'reads what toFramed and a line end make of messages, in %s',
    (framing) => {
      const message = fc.jsonValue().map((value) => JSON.stringify(value));
      fc.assert(
        fc.property(fc.array(message, { minLength: 1 }), cuts, (messages, places) => {
          const bytes = Buffer.from(messages.map((one) => `${toFramed(framing)(one)}\n`).join(''));
          expect(through(splitMessages(), tokenize(bytes, places))).toEqual(messages);
        }),
      );
    },
  );
});

const read = byFraming<string>({
  lines: (chunk$) => chunk$.pipe(map((chunk) => `lines ${Buffer.from(chunk)}`)),
  contentLength: (chunk$) => chunk$.pipe(map((chunk) => `length ${Buffer.from(chunk)}`)),
});

const bytes = (texts: Record<string, string>): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]));

describe('byFraming', () => {
  const chunks = bytes({ j: '{"id":1}', c: 'con', t: 'tent-length: 1', x: 'x', n: 'Content-Length: 2', z: 'Con' });

  it.each([
    ['lines', '            -j-x|', '-a-b|', { a: 'lines {"id":1}', b: 'lines x' }],
    ['lengths', '          -n-x|', '-a-b|', { a: 'length Content-Length: 2', b: 'length x' }],
    ['lengths cut short', '-c-t-x|', '---a-b|', { a: 'length content-length: 1', b: 'length x' }],
    ['lines that begin alike', '-c-x-t|', '---a-b|', { a: 'lines conx', b: 'lines tent-length: 1' }],
    ['a beginning that ends', '-z--|', '----(a|)', { a: 'lines Con' }],
    ['nothing', '          ---|', '---|', {}],
  ])('recognises %s', (_, source, expected, values) => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(source.trim(), chunks).pipe(read)).toBe(expected, values);
    })();
  });
});

const framed = (body: string, more = ''): string => `Content-Length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`;

const textOf = ({ head, body }: Frame): [string, string] => [
  head.replaceAll('\r\n', '|'),
  Buffer.from(body).toString(),
];

describe('cutFrames', () => {
  it(
    'emits a message once it is whole',
    marbles(({ hot, expectObservable }) => {
      const chunks = { a: 'Content-Length: 2\r\n', b: '\r\n{', c: '}Content-Length: 1\r\n\r\n1' };
      const bytes = Object.fromEntries(Object.entries(chunks).map(([name, text]) => [name, Buffer.from(text)]));
      const chunk$ = hot('  -a-b-c---|', bytes);
      const expected = '    -----(MN)|';
      expectObservable(chunk$.pipe(cutFrames())).toBe(expected, {
        M: { head: 'Content-Length: 2\r\n\r\n', body: Buffer.from('{}') },
        N: { head: 'Content-Length: 1\r\n\r\n', body: Buffer.from('1') },
      });
    }),
  );

  it(
    'emits what the end of the source cuts off',
    marbles(({ hot, expectObservable }) => {
      const chunk$ = hot('-a-|', { a: Buffer.from('Content-Length: 9\r\n\r\n{') });
      const M = { head: 'Content-Length: 9\r\n\r\n', body: Buffer.from('{') };
      expectObservable(chunk$.pipe(cutFrames())).toBe('---(M|)', { M });
    }),
  );

  it('cuts the same messages however the bytes come, and loses none', () => {
    const type = 'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n';
    const text = `${framed('{"a":"größe\n"}')}Server starts\r\n${framed('', type)}Content\n${framed('2', type)}Content-Length: 9\r\n\r\ncut`;
    const length = (n: number, more = '') => `Content-Length: ${n}|${more}|`;
    const expected = [
      [length(16), '{"a":"größe\n"}'],
      ['', 'Server starts\r\n'],
      [length(0, `${type.trim()}|`), ''],
      ['', 'Content\n'],
      [length(1, `${type.trim()}|`), '2'],
      [length(9), 'cut'],
    ];
    fc.assert(
      fc.property(cuts, (places) => {
        const frames = through(cutFrames(), tokenize(Buffer.from(text), places));
        expect(frames.map(textOf)).toEqual(expected);
        expect(Buffer.concat(frames.flatMap(({ head, body }) => [Buffer.from(head), body])).toString()).toBe(text);
      }),
    );
  });

  it('joins the chunks of a long line between messages once, and not again with each', () => {
    const concat = jest.spyOn(Buffer, 'concat');
    const chunks = [...Array.from({ length: 100 }, () => Buffer.alloc(100, 'x')), Buffer.from('\n')];
    const frames = through(cutFrames(), chunks);
    const joins = concat.mock.calls.length;
    concat.mockRestore();
    expect(frames.map(textOf)).toEqual([['', `${'x'.repeat(10_000)}\n`]]);
    expect(joins).toBeLessThanOrEqual(2);
  });
});
