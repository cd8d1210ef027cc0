import { maskArguments, secretArguments } from '../../../src/io/log/secretArguments';

const S = 'plainword';
const R = '[redacted]';

describe('maskArguments, secretArguments', () => {
  it.each<[string, string[], string[]]>([
    ['a word after an option', ['--token', S, 'x'], ['--token', R, 'x']],
    ['any spelling of the option', ['-apiKey', S, '--db_password', S], ['-apiKey', R, '--db_password', R]],
    [
      'options that name a key or a login',
      ['--key', S, '--basic-auth', S, '--pass', S],
      ['--key', R, '--basic-auth', R, '--pass', R],
    ],
    ['an option with its value', [`--api-key=${S}`], [`--api-key=${R}`]],
    ['a header', ['-H', `X-Own: ${S}`, '--header', `a: ${S}`], ['-H', R, '--header', R]],
    [
      'a variable that is set',
      ['run', '-e', `ANY=${S}`, '--env', `B=${S}`],
      ['run', '-e', `ANY=${R}`, '--env', `B=${R}`],
    ],
    [
      'part of an address',
      ['mcp-remote', `https://host/s/0a1b2c3d${S}`, `--url=wss://host/?key=${S}`],
      ['mcp-remote', `https://host/s/${R}`, `--url=wss://host/?key=${R}`],
    ],
    ['a variable by its name', ['env', `GITHUB_PAT=${S}`, 'x'], ['env', `GITHUB_PAT=${R}`, 'x']],
  ])('know %s', (_, args, masked) => {
    expect(maskArguments(args)).toEqual(masked);
    expect(secretArguments(args).length).toBeGreaterThan(0);
    expect(secretArguments(args).every((secret) => secret.endsWith(S))).toBe(true);
  });

  it.each([
    [['-y', 'some-mcp', '--port', '8080', '--author', 'me', '--keyboard', 'de']],
    [['--token', '--verbose', '--token']],
    [['-e', 'NAME', 'A=b', '--api-key=']],
    [['']],
  ])('leave %j alone', (args) => {
    expect(maskArguments(args)).toEqual(args);
    expect(secretArguments(args)).toEqual([]);
  });
});
