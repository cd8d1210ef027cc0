import fc from 'fast-check';
import { parse, TomlError } from 'smol-toml';
import { tomlFault } from '../../../src/settings/faults/tomlFaults';

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
    ['a = 1\na = 2', /^this key or table is there already; remove one of the two$/],
    ['a = "C:\\q"', /^the escape sequence is unknown; write \\\\ for a backslash/],
    ['a = [1 2]', /^a comma is missing, or the list or table is not closed$/],
    ['a = "x" y', /^the line goes on behind the value/],
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
