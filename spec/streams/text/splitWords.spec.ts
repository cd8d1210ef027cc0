import { splitWords } from '../../../src/streams/text/splitWords';

describe('splitWords', () => {
  it.each([
    ['', []],
    ['  a\tb\nc ', ['a', 'b', 'c']],
    ['a \'b c\' "d e"', ['a', 'b c', 'd e']],
    ['a"b"\'c\'\\d', ['abcd']],
    ['"a\\"b\\$\\x\\\ny"', ['a"b$\\xy']],
    ["''", ['']],
    ['a \\\n b', ['a', '', 'b']],
    ['ls; a|b', ['ls;', 'a|b']],
    ['a # b\nc#d #', ['a', 'c#d']],
  ])('splits %j', (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });

  it.each(['"a', "a 'b", 'a\\', '"\\', `${' '.repeat(50_000)}"`, `${'#\n'.repeat(20_000)}'`])(
    'does not split what is open (%#)',
    (line) => {
      expect(splitWords(line)).toBeUndefined();
    },
  );
});
