import fc from 'fast-check';
import { joinWords, splitOverride, splitWords, tokenize } from '../../../src/streams/text/words';
import { anyText } from '../../support/hostile';

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

const PIECE = /(\d+)|[a-c]/gy;

const read = (text: string) => tokenize(PIECE, text)?.map(([match]) => match);

describe('tokenize', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['ab12c', ['a', 'b', '12', 'c']],
  ])('cuts %j', (text, pieces) => {
    expect(read(text)).toEqual(pieces);
  });

  it.each(['x', 'ax', 'xa', 'a b', 'ab\n'])('is undefined for %j', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('gives the groups of a match', () => {
    expect(tokenize(PIECE, 'a7')?.map(([, digits]) => digits)).toEqual([undefined, '7']);
  });

  it('puts together again what it cut, and begins at the front each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', '1', '2', 'x') }), (text) => {
        expect(read(text)?.join('')).toBe(text.includes('x') ? undefined : text);
        expect(PIECE.lastIndex).toBe(0);
      }),
    );
  });
});

describe('splitOverride', () => {
  it.each([
    ['model=o3', 'model', 'o3'],
    [' a.b \t= c=d ', 'a.b', 'c=d'],
    ['model=', 'model', ''],
    ['\u0085a\u0085=\u00a0b', 'a', 'b'],
    ['a=\ufeffb', 'a', '\ufeffb'],
  ])('splits %j', (override, key, value) => expect(splitOverride(override)).toEqual({ key, value }));

  it.each(['', 'model'])('names what %j lacks', (override) =>
    expect(splitOverride(override)).toBe(`-c ${override}: Invalid override (missing '='), expected key=value`),
  );

  it.each(['=', '=x', ' =x'])('names the key that %j lacks', (override) =>
    expect(splitOverride(override)).toBe(`-c ${override}: Empty key in override, expected key=value`),
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
    [['echo', "it's", '', 'a b', 'x=1', '$HOME'], "echo \"it's\" '' 'a b' 'x=1' '$HOME'"],
    [['a\0b'], '<command included NUL byte>'],
  ])('writes %j', (words, line) => {
    expect(joinWords(words)).toBe(line);
  });

  it('writes words so that they split into the same words', () => {
    const words = fc.array(anyText().filter((word) => !word.includes('\0')));
    fc.assert(fc.property(words, (argv) => expect(splitWords(joinWords(argv))).toEqual(argv)));
  });
});
