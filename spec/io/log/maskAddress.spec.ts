import fc from 'fast-check';
import {
  maskAddress,
  maskAddresses,
  maskArguments,
  secretArguments,
  secretsInAddress,
} from '../../../src/io/log/maskAddress';

describe('maskAddress', () => {
  it.each([
    ['https://mcp.example.com/s/0a1b2c3d4e5f6a7b/mcp', 'https://mcp.example.com/s/[redacted]/mcp'],
    ['https://host/v3/mcp/6f1c2a34-9b1e-4c0d-8e2f-1a2b3c4d5e6f/mcp', 'https://host/v3/mcp/[redacted]/mcp'],
    ['https://host/kQzTfWbNrXpLvYcH/sse', 'https://host/[redacted]/sse'],
    ['https://host/abcdefghijklmnopqrstuvwxyz', 'https://host/[redacted]'],
    ['https://host/mcp?token=x&b=&c', 'https://host/mcp?token=[redacted]&b=&c'],
    ['https://host/6aaaaaaa-aaaa-1aaa-aaaa-aaaaffffffea/mcp', 'https://host/[redacted]/mcp'],
    ['https://host/mcp?abc', 'https://host/mcp?[redacted]'],
    ['https://user:pass@word@host/mcp', 'https://[redacted]@host/mcp'],
    ['nats://token@host:4222', 'nats://[redacted]@host:4222'],
    ['https://host/mcp#t=x', 'https://host/mcp#t=[redacted]'],
    ['https://host:8443/api/v1/code-search_service/mcp', 'https://host:8443/api/v1/code-search_service/mcp'],
    ['http://localhost:11434/v1', 'http://localhost:11434/v1'],
    ['https://host', 'https://host'],
    ['https://host/oauth2/protected-resource-2', 'https://host/oauth2/protected-resource-2'],
    ['no address/0a1b2c3d4e5f6a7b', 'no address/0a1b2c3d4e5f6a7b'],
    ['', ''],
  ])('of %j is %j', (text, masked) => {
    expect(maskAddress(text)).toBe(masked);
  });

  it('hides any UUID, and any hex of sixteen characters that has three digits', () => {
    const hex = fc.stringMatching(/^[0-9a-f]{16,40}$/).filter((text) => text.replace(/\D/g, '').length > 2);
    fc.assert(
      fc.property(fc.oneof(fc.uuid(), hex), (token) => {
        expect(maskAddress(`https://host/a/${token}/mcp?k=${token}`)).not.toContain(token);
      }),
    );
  });

  it('is the same the second time', () => {
    const once = maskAddress('https://host/0a1b2c3d4e5f6a7b?a=b');
    expect(maskAddress(once)).toBe(once);
  });
});

describe('secretsInAddress', () => {
  it.each<[string, string[]]>([
    ['https://host/s/0a1b2c3d4e5f6a7b/mcp?key=abcd%2F12345&v=1', ['0a1b2c3d4e5f6a7b', 'abcd%2F12345', 'abcd/12345']],
    [
      'https://someone:passphrase@host/mcp?12345678#t=87654321',
      ['passphrase', 'c29tZW9uZTpwYXNzcGhyYXNl', '12345678', '87654321'],
    ],
    ['https://abcdefgh1@host', ['abcdefgh1', 'YWJjZGVmZ2gxOg==']],
    ['https://abcdefgh1:@host', ['abcdefgh1', 'YWJjZGVmZ2gxOg==']],
    ['https://me:p%40ss@host', ['p%40ss', 'p@ss', 'bWU6cEBzcw==']],
    ['https://someone:short:1@host', ['short:1', 'c29tZW9uZTpzaG9ydDox']],
    ['https://host/mcp?bad=%E0%A4%Axx', ['%E0%A4%Axx']],
    ['https://host/api/v1/mcp?v=1', []],
    ['no address?key=12345678', []],
  ])('of %j are %j', (text, secrets) => {
    expect(secretsInAddress(text)).toEqual(secrets);
  });

  it('are what is masked', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const masked = maskAddress(url);
        for (const secret of secretsInAddress(url))
          expect(masked.slice(masked.indexOf('/', 8))).not.toContain(`=${secret}`);
      }),
    );
  });
});

describe('maskAddresses', () => {
  it('masks each in a text', () => {
    expect(maskAddresses('a="ws://u:p@h/x?k=v", \'nats://t@h\' and c://d')).toBe(
      'a="ws://[redacted]@h/x?k=[redacted]", \'nats://[redacted]@h\' and c://d',
    );
  });
});

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
