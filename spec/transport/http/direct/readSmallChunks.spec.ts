import { readSmallChunks } from '../../../../src/transport/http/direct/readSmallChunks';
import { responseReader } from '../../../../src/transport/http/direct/responseReader';

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const read = (text: string) => {
  const small = readSmallChunks(Buffer.from(text));
  return small && [small.used, small.body.toString()];
};

describe('readSmallChunks', () => {
  it.each([
    ['one                 ', chunk('a'), '', 'a'],
    ['many                ', chunk('a') + chunk('bc') + chunk('\r\n'), '', 'abc\r\n'],
    ['those of many digits', `${chunk('x'.repeat(512))}00A\r\n0123456789\r\n`, '', `${'x'.repeat(512)}0123456789`],
    ['those before the end', chunk('a'), '0\r\n\r\n', 'a'],
    ['those before a large', chunk('a'), chunk('x'.repeat(513)), 'a'],
    ['those before one cut', chunk('a'), '2\r\nb', 'a'],
    ['those before half a size', chunk('a'), '2', 'a'],
    ['those before half a line end', chunk('a'), '1\r\nb\r', 'a'],
    ['those before an extension', chunk('a'), '1;x\r\nb\r\n', 'a'],
    ['those before a fault', chunk('a'), 'zz\r\nb\r\n', 'a'],
    ['those before a size of many digits', chunk('a'), '0001\r\nb\r\n', 'a'],
    ['those before a line end without CR', chunk('a'), '1\nb\n', 'a'],
  ])('reads %s', (_, small, rest, body) => {
    expect(read(small + rest)).toEqual([small.length, body]);
  });

  it.each(['', '0\r\n\r\n', '1\r\nab\r\n', '1\r\n', 'x', chunk('x'.repeat(4_000))])('leaves %j', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('reads a body of one-byte chunks as one piece', () => {
    const reader = responseReader();
    reader.read(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'));
    const { body } = reader.read(Buffer.from(`${chunk('x').repeat(10_922)}1\r`));
    expect(body.map(({ length }) => length)).toEqual([10_922]);
    expect(reader.read(Buffer.from('\ny\r\n0\r\n\r\n'))).toMatchObject({ end: { isReusable: true } });
  });
});
