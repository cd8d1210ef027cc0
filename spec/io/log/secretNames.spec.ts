import { redactText } from '../../../src/io/log/redactText';
import { isSecretName, isSecretSetting, NAME_CLUES, namedValuesIn } from '../../../src/io/log/secretNames';
import { atOnce } from '../../../src/streams/pausing';

describe('isSecretName', () => {
  it.each<[string, unknown]>([
    ['Authorization', 'x'],
    ['x-api-key', 'x'],
    ['accessKey', 'x'],
    ['refresh_token', 1],
    ['DB_PASSWD', ''],
    ['Set-Cookie', ['a']],
  ])('knows %s', (name, value) => {
    expect(isSecretName(name, value)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['input_tokens', 7],
    ['tokenLimit', 7],
    ['author', 'x'],
    ['monkey', 'x'],
  ])('passes over %s', (name, value) => {
    expect(isSecretName(name, value)).toBe(false);
  });
});

describe('isSecretSetting', () => {
  it.each(['http_headers', 'query_params', 'set', 'bearer_token_env_var', 'api_key'])('knows %s', (key) => {
    expect(isSecretSetting(key)).toBe(true);
  });

  it.each(['model', 'sandbox_settings', 'base_url'])('passes over %s', (key) => {
    expect(isSecretSetting(key)).toBe(false);
  });
});

const hide = redactText({ secrets: [], maxChars: Number.POSITIVE_INFINITY });
const RANDOM = 'aZ3kQ9xW7mB1vN5cR8tY';

describe('namedValuesIn', () => {
  it('has the value without its quotes, and without its scheme', () => {
    const text = 'api_key="Bearer abc"';
    expect(atOnce(namedValuesIn(text, [0]))).toEqual([{ from: 9, to: 19, secret: 'abc' }]);
  });

  it('reads only names at clues', () => {
    expect([atOnce(namedValuesIn('api_key=abc', [])), NAME_CLUES.split(' ').includes('token')]).toEqual([[], true]);
  });

  it.each([
    ['any scheme of a header', 'Authorization: Token abc def\nHost: x', 'Authorization: [redacted]\nHost: x'],
    ['a header of a proxy', 'Proxy-Authorization: Custom a=b, c="d"', 'Proxy-Authorization: [redacted]'],
    [
      'a header in quotes',
      `curl -H "authorization: token abc" https://x`,
      'curl -H "authorization: [redacted]" https://x',
    ],
    ['cookies', 'Cookie: a=b; c=d', 'Cookie: [redacted]'],
    ['a header of a gateway', 'X-Acme-Token: abc', 'X-Acme-Token: [redacted]'],
    ['a variable', `GH_PAT=${RANDOM} DB_PASS=hunter`, 'GH_PAT=[redacted] DB_PASS=[redacted]'],
    ['a key of any kind', `Ocp-Apim-Subscription-Key: ${RANDOM}`, 'Ocp-Apim-Subscription-Key: [redacted]'],
    ['a name with blanks', 'API key: abc', 'API key: [redacted]'],
    ['a call', `setHeader('X-Api-Key', 'abc')`, `setHeader('X-Api-Key', '[redacted]')`],
    ['a member', `headers["Authorization"] = "Token abc"`, `headers["Authorization"] = "[redacted]"`],
    ['a list', '{"secret":["abc"]}', '{"secret":["[redacted]"]}'],
    ['a text in three quotes', 'password = """a "b"""" # c', 'password = """[redacted]"""" # c'],
    ['a constant of C', '#define DB_PASSWORD "abc"', '#define DB_PASSWORD "[redacted]"'],
    ['a variable of an image', 'ENV DB_PASSWORD abc', 'ENV DB_PASSWORD [redacted]'],
    ['an element', '<a:password kind="x">abc</a:password>', '<a:password kind="x">[redacted]</a:password>'],
    ['a block', 'a:\n  password: |\n    abc\n    def\n  b: c', 'a:\n  password: |\n[redacted]\n  b: c'],
    ['npm', '//registry.npmjs.org/:_authToken=abc', '//registry.npmjs.org/:_authToken=[redacted]'],
  ])('hides the value of %s', (_, text, expected) => {
    expect(hide(text)).toBe(expected);
  });

  it.each([
    `sort_key=${RANDOM}`,
    'key: value, path: /a/b',
    'PWD=/usr/src/app',
    'const token = getToken();',
    'token: null',
    'max_tokens=4096',
    'the author: Ann',
    'usage: x <token> [options] <password>',
    'define token as a word, ENV token',
    'key: |\n  a b',
    '#define NO_PASSWORD 178',
    'class Tokenizer:\n    """Reads tokens."""',
  ])('keeps "%s"', (text) => {
    expect(hide(text)).toBe(text);
  });
});
