import fc from 'fast-check';
import { joinWords } from '../../../src/streams/text/joinWords';
import { splitWords } from '../../../src/streams/text/splitWords';

describe('joinWords', () => {
  it.each([
    [[], ''],
    [['ls', '-la', 'src/a.ts'], 'ls -la src/a.ts'],
    [[''], "''"],
    [['a b', "c'd", 'e\\f'], '\'a b\' "c\'d" "e\\\\f"'],
    [['a^b', '^c', "d'e$f", '\\$x'], "a'^b' '^c' \"d'e\"'$f' \"\\\\\"'$x'"],
    [['ü', 'a,b', 'a=b', '~', '*'], "'ü' 'a,b' 'a=b' '~' '*'"],
    [['echo', "it's", '', 'a b', 'x=1', '$HOME'], "echo \"it's\" '' 'a b' 'x=1' '$HOME'"],
    [['a\0b'], '<command included NUL byte>'],
  ])('writes %j', (words, line) => {
    expect(joinWords(words)).toBe(line);
  });

  it('writes words so that they split into the same words', () => {
    const words = fc.array(fc.string({ unit: 'binary' }).filter((word) => !word.includes('\0')));
    fc.assert(fc.property(words, (argv) => expect(splitWords(joinWords(argv))).toEqual(argv)));
  });
});
