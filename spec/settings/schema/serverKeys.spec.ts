import { serverKeys } from '../../../src/settings/compose';
import { type Toml, tableOf } from '../../../src/settings/layer';
import { toSources } from '../../../src/settings/layers/sources';

const lines = (server: Record<string, Toml>) => {
  const table = tableOf({ mcp_servers: tableOf({ a: tableOf(server) }) });
  return serverKeys(toSources([[{ path: [], value: table, folder: '/', where: () => 'here' }]]));
};
const both = 'has no effect: the command of a is used, as both are set; remove one of them';
const started = 'has no effect: a is started by its command, and has no url';
const reached = 'has no effect: a is reached at its url, and has no command';

describe('serverKeys', () => {
  it.each<[string, Record<string, Toml>, string[]]>([
    ['nothing of a server that is started', { command: 'x', args: [], env: tableOf(), cwd: '/' }, []],
    ['nothing of one that is reached', { url: 'x', bearer_token_env_var: 'X', http_headers: tableOf() }, []],
    ['a url beside a command', { command: 'x', url: 'y' }, [`here: mcp_servers.a.url ${both}`]],
    [
      'a url and its token beside a command',
      { command: 'x', url: 'y', bearer_token_env_var: 'T', args: [] },
      [`here: mcp_servers.a.url ${both}`, `here: mcp_servers.a.bearer_token_env_var ${both}`],
    ],
    [
      'headers of a command',
      { command: 'x', http_headers: tableOf() },
      [`here: mcp_servers.a.http_headers ${started}`],
    ],
    [
      'variables of a url',
      { url: 'y', env: tableOf(), cwd: '/' },
      [`here: mcp_servers.a.env ${reached}`, `here: mcp_servers.a.cwd ${reached}`],
    ],
    [
      'a token in the file',
      { url: 'y', bearer_token: 's3cret' },
      [
        'here: mcp_servers.a.bearer_token has no effect: no token is read from this file; bearer_token_env_var names the variable with it',
      ],
    ],
    [
      'a table without a server',
      { args: [] },
      ['here: mcp_servers.a has neither a command nor a url, so there is no such server'],
    ],
    ['nothing of a server that is left out', { command: 'x', url: 'y', enabled: false }, []],
  ])('names %s', (_, server, expected) => {
    expect(lines(server)).toEqual(expected);
  });

  it('names nothing if there are no servers, or if they are no tables', () => {
    const of = (table: Toml) =>
      serverKeys(toSources([[{ path: [], value: tableOf({ mcp_servers: table }), folder: '/', where: () => 'here' }]]));
    expect([of(1n), of(tableOf({ a: 1n }))]).toEqual([[], []]);
  });
});
