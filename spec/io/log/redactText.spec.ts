import { redactText } from '../../../src/io/log/redactText';
import { isSecretName } from '../../../src/io/log/secretNames';

const hide = redactText({ secrets: ['s3cr3t value/+"', 'tiny'], maxChars: 8192 });

const [ENCODED, HIDDEN] = ['s3cr3t value/+"', '[redacted]'].map((text) =>
  Buffer.from(`it is ${text}`).toString('base64'),
);

describe('redactText', () => {
  it.each([
    ['a secret value', 'sent s3cr3t value/+" on', 'sent [redacted] on'],
    ['a secret value as JSON writes it', '["s3cr3t value/+\\""]', '["[redacted]"]'],
    ['a secret value as URLs write it', '?q=s3cr3t%20value%2F%2B%22&b', '?q=[redacted]&b'],
    ['a value in base64, twice in one run', `${ENCODED}.${ENCODED}`, `${HIDDEN}.${HIDDEN}`],
    ['an API key', 'used sk-proj-abcDEF_123456', 'used [redacted]'],
    ['an API key behind a name', 'used prod_sk-proj-abcDEF_123456', 'used prod_[redacted]'],
    ['a GitHub token', 'git ghp_0123456789abcdefABCDEF', 'git [redacted]'],
    ['an AWS key', 'AKIAIOSFODNN7EXAMPLE.', '[redacted].'],
    ['a JWT', 'id eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2ln-x_y!', 'id [redacted]!'],
    ['a bearer', 'sent Bearer abc.def-ghi', 'sent Bearer [redacted]'],
    ['an authorization header', 'Authorization: Basic dXNlcjpwdw==', 'Authorization: [redacted]'],
    ['a passphrase of several words', 'passphrase: tr0ub & 3, more\nb', 'passphrase: [redacted]\nb'],
    ['a seed phrase in JSON', '{"a":"seed phrase: one two"}', '{"a":"seed phrase: [redacted]"}'],
    ['a named value', 'api_key=abc&x=1', 'api_key=[redacted]&x=1'],
    ['a named value in JSON', '{"api_key":"a \\" b","x":1}', '{"api_key":"[redacted]","x":1}'],
    ['a named value in escaped JSON', '{\\"password\\":\\"hunter two\\"}', '{\\"password\\":\\"[redacted]\\"}'],
    ['an argument', "run --api-key 'a b' --x", "run --api-key '[redacted]' --x"],
    ['an argument in a list in JSON', '["x","--auth-token","abc"]', '["x","--auth-token","[redacted]"]'],
    ['an argument in a list in escaped JSON', '[\\"--secret\\",\\"abc\\"]', '[\\"--secret\\",\\"[redacted]\\"]'],
    ['a value behind an arrow', 'token => abc', 'token => [redacted]'],
    ['a Slack app token', 'xapp-1-A0-123-abc', '[redacted]'],
    ['a token in a URL', 'https://abcdefghij0123456789@host/x', 'https://[redacted]@host/x'],
    ['a signature in a URL', 'https://h/x?a=1&sig=ab%2Bc&b=2', 'https://h/x?a=1&sig=[redacted]&b=2'],
    ['an account key', 'AccountKey=abc==;x', 'AccountKey=[redacted];x'],
    ['a Hugging Face token', 'hf_abcdefghijABCDEFGHIJ01', '[redacted]'],
    ['a Stripe key', 'sk_live_abcdefghij01', '[redacted]'],
    ['a PyPI token', 'pypi-AgEIcHlwaS5vcmcCJDk0', '[redacted]'],
    ['a Groq key', 'gsk_abcdefghijABCDEFGHIJ01', '[redacted]'],
    ['a PGP key', '-----BEGIN PGP PRIVATE KEY BLOCK-----\nab', '[redacted]'],
    ['a URL password', 'nats://me:pw@host:4222', 'nats://[redacted]@host:4222'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nab', '[redacted]'],
    ['a private key in full', 'k -----BEGIN PRIVATE KEY-----\nab\n-----END PRIVATE KEY----- e', 'k [redacted] e'],
    ['an AWS secret', 'aws_secret wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY.', 'aws_secret [redacted].'],
    ['a docker login', '{"auths":{"r":{"auth":"dXNlcjpwYXNzd29yZA=="}}}', '{"auths":{"r":{"auth":"[redacted]"}}}'],
    ['a password of curl', 'curl -s -u me:pw https://x', 'curl -s -u [redacted] https://x'],
    ['a password of curl in a list', '["curl","-u","me:pw"]', '["curl","-u","[redacted]"]'],
    ['a netrc', 'machine h login me password pw', 'machine h login me password [redacted]'],
    ['a pgpass', 'a\ndb.host:5432:app:me:hunter2\nb', 'a\ndb.host:5432:app:me:[redacted]\nb'],
    ['a secret among counts', '"tokenUsage":{"apiKey":"abc"}', '"tokenUsage":{"apiKey":"[redacted]"}'],
    ['a password of mysql', 'mysql -u me -phunter2 db', 'mysql -u me -p[redacted] db'],
  ])('hides %s', (_, text, expected) => {
    expect(hide(text)).toBe(expected);
  });

  it.each([
    'password: [redacted]',
    '',
    'tiny',
    'task-force of desk-bound disks',
    'ssh://git@host/x',
    'https://h/x?signal=1',
    'Enter the passphrase for key x',
    'total_tokens: 512',
    '"tokenUsage":{"total":{"totalTokens":110}}',
    '"time_to_first_token_ms":43',
    '"refreshToken":false, authToken: null',
    'src/components/Users/Table/Row/Cell/Index',
    '--max-tokens 512 --x',
    'Unexpected token } in JSON',
    'tar -pxf a.tar; mysql -u me -p',
    'see https://discord.com/channels/1/2 and slack.com',
    `commit ${'0123456789abcdef'.repeat(3).slice(0, 40)}`,
    'a:1:b:c:d e',
    '"auth": "none"',
    'curl -u https://x',
  ])('keeps "%s"', (text) => {
    expect(hide(text)).toBe(text);
  });

  const hex = (length: number) => '0123456789abcdef'.repeat(8).slice(0, length);
  const word = (length: number) => 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z'.repeat(8).slice(0, length);
  it.each([
    `ya29.${word(40)}`,
    `GOCSPX-${word(28)}`,
    `1//0${word(40)}`,
    `SG.${word(22)}.${word(43)}`,
    `https://hooks.slack.com/services/T00000000/B00000000/${word(24)}`,
    `xoxb-1234567890-${word(24)}`,
    `https://discord.com/api/webhooks/123456789012345678/${word(68)}`,
    `M${word(25)}.GaBcDe.${word(38)}`,
    `123456789:AA${word(33)}`,
    `SK${hex(32)}`,
    `whsec_${word(32)}`,
    `dapi${hex(32)}`,
    `dop_v1_${hex(64)}`,
    `hvs.${word(90)}`,
    `ATATT3${word(180)}`,
    `shpat_${hex(32)}`,
    `ntn_${word(46)}`,
    `lin_api_${word(40)}`,
    `r8_${word(37)}`,
    `pplx-${word(48)}`,
    `glrt-${word(20)}`,
    `sbp_${hex(40)}`,
    `HRKU-${word(60)}`,
    `tskey-auth-${word(12)}-${word(30)}`,
    `figd_${word(40)}`,
    `PMAK-${hex(24)}-${hex(34)}`,
    `glc_${word(60)}`,
    `dckr_pat_${word(27)}`,
    `nvapi-${word(64)}`,
    `lsv2_pt_${hex(32)}_${hex(10)}`,
    `AGE-SECRET-KEY-1${'A'.repeat(58)}`,
  ])('hides all of %s', (token) => {
    expect(hide(`x "${token}" y`)).not.toContain(token.slice(-12));
  });

  it('cuts a long text without leaving half of a secret', () => {
    const cut = redactText({ secrets: ['0123456789abcdef'], maxChars: 20 });
    expect(cut(`${'x'.repeat(12)}0123456789abcdef${'y'.repeat(3000)}`)).toBe(
      'xxxxxxxxxxxx[redacted]… (3028 characters)',
    );
  });

  it.each(['password="', 'token="\\\\', "secret='"])('is quick with a value after %s that goes on and on', (start) => {
    const before = process.cpuUsage();
    for (const part of [' ', '\\\\', "'"]) hide(`${start}${part.repeat(100_000 / part.length)}x`);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
  });

  it('hides what stands deep within counts, however deep that is', () => {
    expect(hide('{tokens:{used:{token:abcdef}}}')).toBe('{tokens:{used:{token:[redacted]}}}');
    expect(hide(`${'tokens:{'.repeat(50_000)}token:abcdef`)).not.toContain('abcdef');
  });

  it.each(['a', 'token ', '"', 'eyJ', 'sk-', '://', 'secret=', '-----BEGIN ', '--token ', '--'])(
    'is quick with a hostile text of "%s"',
    (part) => {
      const before = process.cpuUsage();
      redactText({ secrets: [], maxChars: 1 << 20 })(part.repeat(100_000 / part.length));
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000); // a busy machine takes longer, and no more of this
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
