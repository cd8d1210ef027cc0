import { listedServers } from '../../../src/cli/commands/mcp';
import type { Credential } from '../../../src/settings/mcpAuth/credentialFile';
import { mcpLoginsHere } from '../../../src/settings/mcpLogins/mcpLoginsHere';
import { wired } from '../../agent/wiring/wiring';
import { removeHomes } from '../../support/home';

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
