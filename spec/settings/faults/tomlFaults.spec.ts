import fc from 'fast-check';
import { parse, TomlError } from 'smol-toml';
import { lineOf, tomlFault, tomlFaults } from '../../../src/settings/faults/tomlFaults';

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

  it('ends soon for a text whose lines look like statements', () => {
    expect(tomlFaults(`a = """\n${'b = 1\n'.repeat(30_000)}""" x\n`)).toHaveLength(1);
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

const faultOf = (text: string): string | undefined => {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return tomlFault(text, error);
  }
};

describe('tomlFault', () => {
  it.each([
    ['model = "gpt-5\nx = 1', /^a string is not closed in its line; end it with quotes/],
    ["model = 'gpt-5\r\nx = 1", /^a string is not closed in its line; end it with quotes/],
    ['model = "gpt-5', /^a string is not closed; /],
    ['model = """gpt-5', /^a string is not closed; /],
    ['model = "a\u0001b"', /^a string holds a control character; write it as an escape, such as \\u001b$/],
    ['model = gpt-5', /^the value cannot be read; put a text in quotes$/],
    ['model', /^the key cannot be read; write KEY = VALUE/],
    ['a = 1\na = 2', /^this key or table is defined twice; remove one of them$/],
    ['a = "C:\\q"', /^the escape sequence is unknown; write \\\\ for a backslash/],
    ['a = [1 2]', /^a comma is missing, or the list or table is not closed$/],
    ['a = "x" y', /^the line continues after the value/],
    ['model\nx = 1', /^the key cannot be read; write KEY = VALUE/],
    ['= 1', /^unexpected end of key$/],
  ])('names the cause and the remedy of %j', (text, fault) => {
    expect(faultOf(text)).toMatch(fault);
  });

  it('never shows the line, which may hold a key', () => {
    const secret = fc.constantFrom('sk-secret', '"sk-secret', "'sk-secret", '[sk-secret', '{sk-secret', 'sk-secret"');
    fc.assert(
      fc.property(secret, fc.constantFrom('', '\n', ' ', ' = ', ',', '\\'), (text, end) => {
        expect(faultOf(`env_key = ${text}${end}`) ?? '').not.toContain('sk-secret');
      }),
    );
  });
});

const text = `# model = "commented"
notes = """
model = "inside a text"
"""
model = "x" # approval_policy
"quoted.key" = 1
list = [
  "a",
]
a.b.c = 1

[profiles.p]
model = "y"
[profiles.'q r']
approval_policy = "never"
[model_providers]
m = { name = "m", wire_api = "chat" }
`;

describe('lineOf', () => {
  it.each<[number | undefined, string[]]>([
    [2, ['notes']],
    [5, ['model']],
    [6, ['quoted.key']],
    [7, ['list']],
    [10, ['a', 'b', 'c']],
    [10, ['a', 'b', 'missing']],
    [12, ['profiles', 'p']],
    [13, ['profiles', 'p', 'model']],
    [12, ['profiles', 'p', 'approval_policy']],
    [15, ['profiles', 'q r', 'approval_policy']],
    [17, ['model_providers', 'm', 'wire_api']],
    [17, ['model_providers', 'm', 'base_url']],
    [undefined, ['absent']],
    [undefined, []],
  ])('finds line %s for %j', (line, path) => expect(lineOf(text)(path)).toBe(line));

  it.each([
    ['a list          ', `x = [\n${'1,\n'.repeat(30_000)}]\nkey = 1\n`, 30_003],
    ['a text          ', `x = """\n${'key = 1\n'.repeat(30_000)}"""\nkey = 1\n`, 30_003],
    ['a literal text  ', `x = '''\n${"key = '\n".repeat(30_000)}'''\nkey = 1\n`, 30_003],
    [
      'other statements',
      `${Array.from({ length: 30_000 }, (_, at) => `k${at} = "key"`).join('\n')}\nkey = 1\n`,
      30_001,
    ],
  ])('finds a line after %s of 30,000 lines without parsing what is above it', (_, long, line) =>
    expect(lineOf(long)(['key'])).toBe(line),
  );

  it.each([
    ['a quoted bracket', 'a = "[" # {\nkey = 1\n', 2],
    ['an escaped quote', 'a = "\\"["\nkey = 1\n', 2],
    ['quotes at the end of a text', 'a = """b"""""\nkey = 1\n', 2],
    ['an escape before the end', 'a = """\n\\"""\nkey = 2\n"""\nkey = 1\n', 5],
  ])('is not deceived by %s', (_, given, line) => expect(lineOf(given)(['key'])).toBe(line));

  it('does not mind line ends of Windows', () => expect(lineOf('a = 1\r\nb = 2\r\n')(['b'])).toBe(2));
});
