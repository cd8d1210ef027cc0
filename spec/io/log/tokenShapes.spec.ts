/** Shapes of secrets that are in use, each in a text as it is met; none is real. The parts are joined here, so that no scanner takes them for leaks. */
import { redactText } from '../../../src/io/log/redactText';

const B62 = 'aZ3kQ9xW7mB1vN5cR8tY2uI6oP4sD0fGhJlKwErTyUiOpAsDfGhJkLzXcVbNmQwErTy1234567890qWeRtYuIoP';
const HEX = '3f9a1c7e5b2d8046fa91c3e7d5b28460a1c3e5f79b2d4860fe1c3a5b7d9e2f40';
const DIGITS = '123456789012345678901234';
const UPPER = 'K7QZ3MX9WB5VN2RT8YU4IO6PASDFGHJL1ZXCVBNMQWERTYUIOPASDFGHJKLZXCVBNMQWERTY';
const b62 = (length: number): string => B62.slice(0, length);
const hex = (length: number): string => (HEX + HEX).slice(0, length);
const upper = (length: number): string => UPPER.slice(0, length);

/** The parts of one secret, and the text around it, where `@` stands for it. */
type Shape = readonly [name: string, parts: readonly string[], around?: string];

const SHAPES: readonly Shape[] = [
  ['GitHub ghp_', ['ghp', '_', b62(36)]],
  ['GitHub gho_', ['gho', '_', b62(36)]],
  ['GitHub ghu_', ['ghu', '_', b62(36)]],
  ['GitHub ghs_', ['ghs', '_', b62(36)]],
  ['GitHub ghr_', ['ghr', '_', b62(36)]],
  ['GitHub github_pat_', ['github', '_pat_', b62(22), '_', b62(59)]],
  ['GitLab glpat-', ['glp', 'at-', b62(20)]],
  ['GitLab glrt-', ['glr', 't-', b62(20)]],
  ['AWS AKIA', ['AKI', 'A', upper(16)]],
  ['AWS ASIA', ['ASI', 'A', upper(16)]],
  ['AWS secret, named', [b62(20), '/', b62(19)], 'aws_secret_access_key = @'],
  ['AWS secret, bare', [b62(20), '/', b62(19)], 'and this one: @'],
  ['AWS secret, behind its key', [b62(20), '+', b62(19)], `${['AKI', 'A', upper(16)].join('')},@`],
  ['OpenAI sk-', ['sk', '-', b62(48)]],
  ['OpenAI sk-proj-', ['sk', '-proj-', b62(64)]],
  ['Anthropic sk-ant-', ['sk', '-ant-api03-', b62(80)]],
  ['OpenRouter sk-or-', ['sk', '-or-v1-', hex(64)]],
  ['Stripe sk_live_', ['sk', '_live_', b62(24)]],
  ['Stripe rk_live_', ['rk', '_live_', b62(24)]],
  ['Stripe whsec_', ['whs', 'ec_', b62(32)]],
  ['npm', ['npm', '_', b62(36)]],
  ['PyPI', ['pyp', 'i-AgEIcHlwaS5vcmc', b62(70)]],
  ['JWT', ['eyJ', 'hbGciOiJIUzI1NiJ9', '.eyJ', 'zdWIiOiIxMjM0In0', '.', b62(43)]],
  ['RSA key', ['-----BEGIN RSA PRIV', 'ATE KEY-----\n', b62(64), '\n-----END RSA PRIV', 'ATE KEY-----']],
  ['OpenSSH key', ['-----BEGIN OPENSSH PRIV', 'ATE KEY-----\n', b62(64), '\n-----END OPENSSH PRIV', 'ATE KEY-----']],
  ['PGP key', ['-----BEGIN PGP PRIV', 'ATE KEY BLOCK-----\n', b62(64), '\n-----END PGP PRIV', 'ATE KEY BLOCK-----']],
  ['Azure client secret', ['aB1', '8Q~', b62(34)]],
  [
    'Azure storage key',
    [b62(86), '=='],
    'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=@;EndpointSuffix=core',
  ],
  ['Azure SAS', [b62(40), '%3D'], 'https://a.blob.core.windows.net/c?sv=2022-11-02&sp=r&sig=@'],
  ['Azure DevOps token', [b62(52)], 'AZURE_DEVOPS_EXT_PAT_TOKEN=@'],
  ['Google ya29.', ['ya2', '9.', b62(60)]],
  ['Google GOCSPX-', ['GOC', 'SPX-', b62(28)]],
  ['Google 1//0', ['1/', '/0', b62(40)], 'refresh: @'],
  ['Google AIza', ['AI', 'za', b62(35)]],
  [
    'Google service account',
    ['-----BEGIN PRIV', 'ATE KEY-----\\n', b62(64), '\\n-----END PRIV', 'ATE KEY-----'],
    '{"private_key":"@\\n"}',
  ],
  ['SendGrid', ['SG', '.', b62(22), '.', b62(43)]],
  ['Slack xoxb-', ['xox', 'b-', DIGITS.slice(0, 12), '-', DIGITS.slice(0, 12), '-', b62(24)]],
  ['Slack xapp-', ['xap', 'p-1-A', upper(10), '-', DIGITS.slice(0, 12), '-', hex(64)]],
  ['Slack webhook', ['hooks.slack', '.com/services/T', upper(9), '/B', upper(9), '/', b62(24)], 'https://@'],
  ['Discord webhook', ['discord', '.com/api/webhooks/', DIGITS.slice(0, 18), '/', b62(68)], 'https://@'],
  ['Discord bot', ['MTI', b62(21), '.', b62(6), '.', b62(38)]],
  ['Telegram', [DIGITS.slice(0, 10), ':AA', b62(33)]],
  ['Twilio', ['S', 'K', hex(32)]],
  ['Databricks dapi', ['da', 'pi', hex(32)]],
  ['DigitalOcean dop_v1_', ['dop', '_v1_', hex(64)]],
  ['Vault hvs.', ['hv', 's.', b62(28)]],
  ['Atlassian ATATT3', ['ATA', 'TT3', b62(80)]],
  ['Shopify shpat_', ['shp', 'at_', hex(32)]],
  ['Notion ntn_', ['nt', 'n_', b62(46)]],
  ['Linear lin_api_', ['lin', '_api_', b62(40)]],
  ['Replicate r8_', ['r', '8_', b62(37)]],
  ['Perplexity pplx-', ['ppl', 'x-', b62(48)]],
  ['Supabase sbp_', ['sb', 'p_', hex(40)]],
  ['Heroku HRKU-', ['HRK', 'U-', b62(60)]],
  ['Tailscale tskey-', ['tsk', 'ey-auth-', b62(12), '-', b62(30)]],
  ['Hugging Face hf_', ['h', 'f_', b62(34)]],
  ['Groq gsk_', ['gs', 'k_', b62(52)]],
  ['xAI', ['xa', 'i-', b62(80)]],
  ['Figma', ['fig', 'd_', b62(40)]],
  ['Docker dckr_pat_', ['dck', 'r_pat_', b62(27)]],
  ['docker auth', [Buffer.from(`me:${b62(24)}`).toString('base64')], '{"auths":{"ghcr.io":{"auth":"@"}}}'],
  ['curl -u', [b62(16)], 'curl -s -u admin:@ https://example.com'],
  ['netrc', [b62(16)], 'machine example.com login me password @'],
  ['.pgpass', [b62(16)], 'db.example.com:5432:app:me:@'],
  ['mysql -p', [b62(16)], 'mysql -h db -u root -p@ app'],
  ['password in a URL', [b62(16)], 'postgres://me:@' + '@db.example.com/app'],
];

const FOUND_AT_LEAST = 60;

const textOf = ([, parts, around = 'the value is @ here']: Shape): string => around.replace('@', () => parts.join(''));

describe('redactText over the shapes of tokens', () => {
  const hide = redactText({ secrets: [], maxChars: 10_000 });
  const isFound = (shape: Shape): boolean => {
    const text = hide(textOf(shape));
    return !text.includes(shape[1].join('')) && text.includes('[redacted]');
  };

  it('knows 66 shapes, each once', () => {
    expect([SHAPES.length, new Set(SHAPES.map(([name]) => name)).size]).toEqual([66, 66]);
  });

  it('finds all but a few', () => {
    const missed = SHAPES.filter((shape) => !isFound(shape)).map(([name]) => name);
    expect(missed).toEqual([]);
    expect(SHAPES.length - missed.length).toBeGreaterThanOrEqual(FOUND_AT_LEAST);
  });

  it.each(SHAPES.map((shape) => ({ shape, name: shape[0] })))(
    'leaves nothing of the random part of $name',
    ({ shape }) => {
      const longest = [...shape[1]].sort((a, b) => b.length - a.length)[0] as string;
      expect(hide(textOf(shape))).not.toContain(longest.slice(0, 12));
    },
  );
});
