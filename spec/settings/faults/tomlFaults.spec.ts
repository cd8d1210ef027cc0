import fc from 'fast-check';
import { parse } from 'smol-toml';
import { tomlFaults } from '../../../src/settings/faults/tomlFaults';

const placesOf = (text: string): string[] => tomlFaults(text).map(({ line, column }) => `${line}:${column}`);

describe('tomlFaults', () => {
  it.each<[string, string, string[]]>([
    ['none of valid TOML', 'a = 1\n[t]\nb = [\n  1,\n]\n', []],
    ['none of an empty text', '', []],
    ['one for each faulty line', 'a = x\nb = 1\nc = "y\nd = 2\n', ['1:5', '3:7']],
    ['a key without a value, and a word without a sign', 'a =\nmodel "m"\nb = 1\nb = 2\n', ['1:4', '2:7', '4:1']],
    ['a list that is not closed, and what comes after it', 'a = [1, 2\nb = 3\nc = x\n', ['2:1', '3:5']],
    ['a list of several lines without a comma', 'a = [\n  "x"\n  "y",\n]\nb = x\n', ['3:3', '5:5']],
    ['a table in braces of several lines', 'a = {\n  b = 1,\n  c = 2 d = 3,\n  e = 4\n}\nf = x\n', ['3:9', '6:5']],
    ['a header, and keys below it', 'a = 1\n[t\na = 2\nb = x\n[u]\na = y\n', ['2:3', '4:5', '6:5']],
    ['a table that is there twice, once', '[t]\na = 1\n[t]\na = 2\nb = 1\n', ['3:2']],
    ['lines that end with a carriage return', 'a = x\r\nb = 1\r\nc = y\r\n', ['1:5', '3:5']],
    ['none after a text of several lines that is not closed', 'a = x\nb = """\nc = y\n', ['1:5', '2:5']],
    ['those after a text of several lines', 'a = """\nb = x\n\\q"""\nc = y\n', ['3:2', '4:5']],
  ])('finds %s', (_, text, places) => {
    expect(placesOf(text)).toEqual(places);
  });

  it('names the cause and the remedy of each', () => {
    expect(tomlFaults('a = x\nb = "y').map(({ fault }) => fault)).toEqual([
      'the value cannot be read; put a text in quotes',
      expect.stringMatching(/^a string is not closed/) as unknown as string,
    ]);
  });

  it('ends after 20', () => {
    expect(tomlFaults('no toml\n'.repeat(100))).toHaveLength(20);
  });

  const statement = fc.constantFrom(
    'k = 1',
    'k = [1,\n  2]',
    'k = """\nx = y\n"""',
    '[t]',
    '# x = y',
    '',
    'k = { a = 1 }',
  );
  const fault = fc.constantFrom(
    'k = x',
    'k = "a',
    'k',
    'k = [1 2]',
    '[t',
    'k = [\n  1 2\n]',
    "k = 'a",
    'k = {a = 1 b}',
  );

  it('finds exactly the faulty statements, wherever they stand', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), statement, fault), { maxLength: 12 }), (parts) => {
        const texts = parts.map(([isFaulty, good, bad], index) =>
          (isFaulty ? bad : good).replaceAll(/k(?=$| =)|t(?=\]|$)/g, (name) => `${name}${index}`),
        );
        const faulty = parts.filter(([isFaulty]) => isFaulty).length;
        expect(tomlFaults(texts.join('\n'))).toHaveLength(faulty);
      }),
    );
  });

  it('finds a fault exactly where the parser does', () => {
    const piece = fc.constantFrom(
      'a',
      '=',
      '"',
      "'",
      '[',
      ']',
      '{',
      '}',
      '\n',
      '.',
      ',',
      ' ',
      '1',
      '#',
      '"""',
      '\\',
      '\r\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        const isToml = () => {
          try {
            parse(text);
            return true;
          } catch {
            return false;
          }
        };
        expect(tomlFaults(text).length === 0).toBe(isToml());
      }),
    );
  });
});
