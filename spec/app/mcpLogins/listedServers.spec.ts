import { listedServers, mcpLoginsHere } from '../../../src/app/mcpLogins';
import { removeHomes } from '../../support/home';
import { wired } from '../engines/wiring';

afterAll(removeHomes);

const TOML = `
[mcp_servers.git]
command = "npx"
args = ["s3cret"]
[mcp_servers.open]
url = "https://u:p@open/mcp?key=s3cret"
[mcp_servers.known]
url = "https://known/mcp"
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
    file.keep({ name: 'known', url: 'https://known/mcp' }, { clientId: 'c', accessToken: 't', scopes: [] });
    file.keep({ name: 'open', url: 'https://elsewhere/mcp' }, { clientId: 'c', accessToken: 't', scopes: [] });
    expect(listedServers(wiring).map(({ name, place, login }) => [name, place, login])).toEqual([
      ['git', 'npx', '-'],
      ['open', 'https://open/mcp', 'none'],
      ['known', 'https://known/mcp', 'logged in'],
      ['token', 'https://token/mcp', 'token'],
      ['header', 'https://header/mcp', 'token'],
      ['odd', '?', '-'],
    ]);
  });
});
