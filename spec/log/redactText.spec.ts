import { isSecretName, redactText } from '../../src/log';

const hide = redactText({ secrets: ['s3cr3t value/+"', 'tiny'], maxChars: 8192 });

describe('redactText', () => {
  it.each([
    ['a secret value', 'sent s3cr3t value/+" on', 'sent [redacted] on'],
    ['a secret value as JSON writes it', '["s3cr3t value/+\\""]', '["[redacted]"]'],
    ['a secret value as URLs write it', '?q=s3cr3t%20value%2F%2B%22&b', '?q=[redacted]&b'],
    ['an API key', 'used sk-proj-abcDEF_123456', 'used [redacted]'],
    ['a GitHub token', 'git ghp_0123456789abcdefABCDEF', 'git [redacted]'],
    ['an AWS key', 'AKIAIOSFODNN7EXAMPLE.', '[redacted].'],
    ['a JWT', 'id eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2ln-x_y!', 'id [redacted]!'],
    ['a bearer', 'sent Bearer abc.def-ghi', 'sent Bearer [redacted]'],
    ['an authorization header', 'Authorization: Basic dXNlcjpwdw==', 'Authorization: [redacted]'],
    ['a named value', 'api_key=abc&x=1', 'api_key=[redacted]&x=1'],
    ['a named value in JSON', '{"api_key":"a \\" b","x":1}', '{"api_key":"[redacted]","x":1}'],
    ['a named value in escaped JSON', '{\\"password\\":\\"hunter two\\"}', '{\\"password\\":\\"[redacted]\\"}'],
    ['an argument', "run --api-key 'a b' --x", "run --api-key '[redacted]' --x"],
    ['an argument in a list in JSON', '["x","--auth-token","abc"]', '["x","--auth-token","[redacted]"]'],
    ['an argument in a list in escaped JSON', '[\\"--secret\\",\\"abc\\"]', '[\\"--secret\\",\\"[redacted]\\"]'],
    ['a value behind an arrow', 'token => abc', 'token => [redacted]'],
    ['a Slack app token', 'xapp-1-A0-123-abc', '[redacted]'],
    ['a PGP key', '-----BEGIN PGP PRIVATE KEY BLOCK-----\nab', '[redacted]'],
    ['a URL password', 'nats://me:pw@host:4222', 'nats://[redacted]@host:4222'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nab', '[redacted]'],
    ['a private key in full', 'k -----BEGIN PRIVATE KEY-----\nab\n-----END PRIVATE KEY----- e', 'k [redacted] e'],
  ])('hides %s', (_, text, expected) => {
    expect(hide(text)).toBe(expected);
  });

  it.each([
    '',
    'tiny',
    'task-force of desk-bound disks',
    'total_tokens: 512',
    '--max-tokens 512 --x',
    'Unexpected token } in JSON',
  ])('keeps "%s"', (text) => {
    expect(hide(text)).toBe(text);
  });

  it('cuts a long text without leaving half of a secret', () => {
    const cut = redactText({ secrets: ['0123456789abcdef'], maxChars: 20 });
    expect(cut(`${'x'.repeat(12)}0123456789abcdef${'y'.repeat(3000)}`)).toBe('xxxxxxxxxxxx[r… (3028 characters)');
  });

  it.each(['a', 'token ', '"', 'eyJ', 'sk-', '://', 'secret=', '-----BEGIN ', '--token ', '--'])(
    'is quick with a hostile text of "%s"',
    (part) => {
      const startedAt = process.hrtime.bigint();
      redactText({ secrets: [], maxChars: 1 << 20 })(part.repeat(100_000 / part.length));
      expect(Number(process.hrtime.bigint() - startedAt) / 1e6).toBeLessThan(1000);
    },
  );
});

describe('isSecretName', () => {
  it.each(['authorization', 'API_KEY', 'openaiApiKey', 'refresh_token', 'clientSecret', 'password'])(
    'knows %s',
    (name) => {
      expect(isSecretName(name, 'x')).toBe(true);
    },
  );

  it('lets counts of tokens pass', () => {
    expect([isSecretName('input_tokens', 7), isSecretName('pin_token', 7), isSecretName('model', 'x')]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
