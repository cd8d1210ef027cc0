import fc from 'fast-check';
import { lineEndOf, toFileText } from '../../../src/executor/patch/fileText';

describe('toFileText', () => {
  it.each([
    ['', { lines: [], end: 'newline' }],
    ['\n', { lines: [''], end: 'newline' }],
    ['a', { lines: ['a'], end: 'none' }],
    ['a\nb\n', { lines: ['a', 'b'], end: 'newline' }],
    ['a\r\nb', { lines: ['a\r', 'b'], end: 'none' }],
  ])('of %j', (text, expected) => {
    expect(toFileText(text)).toEqual(expected);
  });

  it('loses nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r') }), (text) => {
        const { lines, end } = toFileText(text);
        expect(lines.map((line) => `${line}\n`).join('')).toBe(end === 'newline' ? text : `${text}\n`);
      }),
    );
  });
});

describe('lineEndOf', () => {
  it.each([
    ['a', '\n'],
    ['a\r', '\r\n'],
    ['', '\n'],
  ])('of %j', (line, end) => expect(lineEndOf(line)).toBe(end));
});
