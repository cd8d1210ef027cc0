import { map } from 'rxjs';
import { byFraming } from '../../../src/streams/bytes/byFraming';
import { marbles } from '../../support/marbles';

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
