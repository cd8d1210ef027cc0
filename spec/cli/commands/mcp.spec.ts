import { listedServers, mcp, toPlace, toServerLines } from '../../../src/cli/commands/mcp';
import type { Credential } from '../../../src/settings/mcpAuth/credentialFile';
import { mcpLoginsHere } from '../../../src/settings/mcpLogins/mcpLoginsHere';
import { wired } from '../../agent/wiring/wiring';
import { removeHomes } from '../../support/home';
import { givenBy, problemBy } from '../reading';

afterAll(removeHomes);

const TOML = `
[mcp_servers.git]
command = "npx"
args = ["-y", "git-mcp", "--token", "s3cret"]
[mcp_servers.open]
url = "https://u:p@open/mcp?key=s3cret"
[mcp_servers.known]
url = "https://known/mcp"
[mcp_servers.refused]
url = "https://refused/mcp"
[mcp_servers.past]
url = "https://past/mcp"
[mcp_servers.renewable]
url = "https://renewable/mcp"
[mcp_servers.token]
url = "https://token/mcp"
bearer_token_env_var = "T"
[mcp_servers.header]
url = "https://header/mcp"
env_http_headers = { authorization = "T" }
[mcp_servers.off]
url = "https://off/mcp"
enabled = false
[mcp_servers.odd]
url = "nowhere"
`;

describe('mcp', () => {
  it.each([
    [['list', '--json'], { action: 'list', json: true }],
    [['login', 'docs', '--scope', 'a', '--scope', 'b'], { action: 'login', name: 'docs', scope: ['a', 'b'] }],
    [['logout', 'docs', '-c', 'x=1'], { action: 'logout', name: 'docs', config: ['x=1'] }],
  ])('accepts %j', (argv, given) => expect(givenBy(mcp, ...argv)).toMatchObject(given));

  it.each([
    [['add', 'x'], /^ACTION must be list, login or logout; it is add$/],
    [['login'], /^login needs the name of a server$/],
    [['logout'], /^logout needs the name of a server$/],
    [['list', 'x'], /^list takes no name$/],
    [['login', 'x', '--json'], /^--json is for: mcp list$/],
    [['logout', 'x', '--scope', 'a'], /^--scope is for: mcp login$/],
  ])('refuses %j', (argv, problem) => expect(problemBy(mcp, ...argv)).toMatch(problem));
});

describe('listedServers', () => {
  it('names each enabled server, and by what it is reached, without secrets of its address', () => {
    const { wiring } = wired({ toml: TOML });
    const { file } = mcpLoginsHere(wiring.processInfo);
    const keep = (name: string, url: string, own: Partial<Credential> = {}) =>
      file.change({ name, url }, () => ({ clientId: 'c', accessToken: 't', scopes: [], ...own })).subscribe();
    keep('known', 'https://known/mcp');
    keep('open', 'https://elsewhere/mcp');
    keep('refused', 'https://refused/mcp', { refreshToken: 'r', isRefused: true });
    keep('past', 'https://past/mcp', { expiresMs: 1 });
    keep('renewable', 'https://renewable/mcp', { expiresMs: 1, refreshToken: 'r' });
    expect(listedServers(wiring).map(({ name, place, login }) => [name, place, login])).toEqual([
      ['git', 'npx -y git-mcp', '-'],
      ['open', 'https://open/mcp', 'none'],
      ['known', 'https://known/mcp', 'logged in'],
      ['refused', 'https://refused/mcp', 'ended'],
      ['past', 'https://past/mcp', 'ended'],
      ['renewable', 'https://renewable/mcp', 'logged in'],
      ['token', 'https://token/mcp', 'token'],
      ['header', 'https://header/mcp', 'token'],
      ['odd', '?', '-'],
    ]);
  });
});

describe('toServerLines', () => {
  it('has columns, also where a character takes two of a terminal', () => {
    const servers = [
      { name: 'docs', login: 'logged in', place: 'https://h/mcp' },
      { name: '文書', login: '-', place: 'node /srv/mcp.js' },
      { name: 'a', login: 'none', place: 'https://g/mcp' },
    ] as const;
    expect(toServerLines(servers)).toEqual([
      'docs  logged in  https://h/mcp',
      '文書  -          node /srv/mcp.js',
      'a     none       https://g/mcp',
    ]);
  });

  it('lets nothing command the terminal, and counts what is shown instead', () => {
    const servers = [
      { name: '\u001b', login: '-', place: 'a\u202eb' },
      { name: 'abcdefgh', login: '-', place: 'c' },
    ] as const;
    expect(toServerLines(servers)).toEqual(['\\x1b      -          a\\u202eb', 'abcdefgh  -          c']);
  });

  it('has no line without a server', () => {
    expect(toServerLines([])).toEqual([]);
  });
});

describe('toPlace', () => {
  it.each([
    ['/opt/db-mcp', ['s3cret'], '/opt/db-mcp'],
    ['node', ['/srv/mcp.js', 's3cret'], 'node /srv/mcp.js'],
    ['/usr/bin/node', ['/srv/mcp.js'], '/usr/bin/node /srv/mcp.js'],
    ['npx', ['-y', '@scope/mcp', '--token', 's3cret'], 'npx -y @scope/mcp'],
    ['npx.cmd', ['some-mcp'], 'npx.cmd some-mcp'],
    ['python', ['-m', 'mcp_server'], 'python -m mcp_server'],
    ['docker', ['run', '-i', '--rm', 'mcp/fetch'], 'docker run -i --rm mcp/fetch'],
    ['npx', ['git+https://user:s3cret@host/mcp'], 'npx git+https://host/mcp'],
  ])('shows of %s %j what it runs', (command, args, place) => expect(toPlace(command, args)).toBe(place));

  it.each([
    ['docker', ['run', '-e', 'TOKEN=s3cret', 'mcp/fetch']],
    ['node', ['--require', 's3cret', 'mcp.js']],
    ['npx', ['-y']],
    ['node', []],
  ])('shows nothing after an option that may have a value: %s %j', (command, args) =>
    expect(toPlace(command, args)).toBe(command),
  );
});
