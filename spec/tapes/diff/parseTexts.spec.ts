import fc from 'fast-check';
import { parseTexts } from '../../../src/tapes/diff/toComparer';

describe('parseTexts', () => {
  it.each<[string, unknown, unknown]>([
    ['an object', { text: ' {"a":[1]}' }, { text: { json: { a: [1] } } }],
    ['a list', ['[1,2]'], [{ json: [1, 2] }]],
    ['a text that is cut off', '{"a":', '{"a":'],
    ['a plain text', 'a', 'a'],
    ['a number as text', '12', '12'],
    ['a delta', { delta: '{}', chunk: '[]' }, { delta: '{}', chunk: '[]' }],
  ])('reads %s', (_, value, parsed) => {
    expect(parseTexts(value)).toEqual(parsed);
  });

  it('leaves a text that nests too deep as it is', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(parseTexts(deep)).toBe(deep);
  });

  it('takes any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseTexts(JSON.stringify([value]))).toEqual({ json: JSON.parse(JSON.stringify([value])) });
      }),
    );
  });
});
