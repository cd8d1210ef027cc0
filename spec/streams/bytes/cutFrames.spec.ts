import fc from 'fast-check';
import type { Frame } from '../../../src/streams/bytes/cutFrames';
import { cutFrames } from '../../../src/streams/bytes/cutFrames';
import { marbles } from '../../support/marbles';
import { cuts, through, tokenize } from '../../support/streams';

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

  it('joins the chunks of a long line between messages once, and not anew with each', () => {
    const concat = jest.spyOn(Buffer, 'concat');
    const chunks = [...Array.from({ length: 100 }, () => Buffer.alloc(100, 'x')), Buffer.from('\n')];
    const frames = through(cutFrames(), chunks);
    const joins = concat.mock.calls.length;
    concat.mockRestore();
    expect(frames.map(textOf)).toEqual([['', `${'x'.repeat(10_000)}\n`]]);
    expect(joins).toBeLessThanOrEqual(2);
  });
});
