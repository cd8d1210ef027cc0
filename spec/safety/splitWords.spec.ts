import fc from 'fast-check';
import { joinWords } from '../../src/safety/joinWords';
import { splitWords } from '../../src/safety/splitWords';

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

describe('joinWords', () => {
  it.each([
    [[], ''],
    [['ls', '-la', 'src/a.ts'], 'ls -la src/a.ts'],
    [[''], "''"],
    [['a b', "c'd", 'e\\f'], '\'a b\' "c\'d" "e\\\\f"'],
    [['a^b', '^c', "d'e$f", '\\$x'], "a'^b' '^c' \"d'e\"'$f' \"\\\\\"'$x'"],
    [['ü', 'a,b', 'a=b', '~', '*'], "'ü' 'a,b' 'a=b' '~' '*'"],
    [['a\0b'], '<command included NUL byte>'],
  ])('writes %j', (words, line) => {
    expect(joinWords(words)).toBe(line);
  });

  it('writes words so that they split into the same words', () => {
    const words = fc.array(fc.string({ unit: 'binary' }).filter((word) => !word.includes('\0')));
    fc.assert(fc.property(words, (argv) => expect(splitWords(joinWords(argv))).toEqual(argv)));
  });
});
