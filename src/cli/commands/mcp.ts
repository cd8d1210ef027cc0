/** `codex-rx mcp`: shows the MCP servers of the configuration, and logs in at those behind a URL. */

import { toVisible } from '../../io/log/toPlain';
import type { McpLoginEvent } from '../../settings/mcpAuth/mcpLogin';
import { mcpLoginsHere, startMcpLogin } from '../../settings/mcpLogins/mcpLoginsHere';
import { reasonOf } from '../../streams/text/reasons';
import { defineCommand } from '../command';
import { exitWhenWritten, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { type ListedServer, listedServers } from '../mcp/listedServers';
import { toServerLines } from '../mcp/toServerLines';
import { overrideOption } from '../overrideOption';
import { plainOptions } from '../plainOptions';
import { thisProcess } from '../thisProcess';

const remark = remarkAs('mcp');

export const mcp = defineCommand({
  usage: '$0 mcp <list | login NAME | logout NAME>',
  positionals: {
    action: { type: 'string', required: true, choices: ['list', 'login', 'logout'], describe: 'list, login or logout' },
    name: { type: 'string', describe: 'Name of a server behind a url in mcp_servers of config.toml' },
  },
  options: {
    json: { type: 'boolean', describe: 'Print the list as JSON' },
    scope: {
      type: 'string',
      array: true,
      describe: 'A scope to request, instead of those that the server proposes',
    },
    config: overrideOption('Set a key of config.toml, as for the server'),
  },
  afterDashes: 'nothing',
  examples: [
    ['$0 mcp list', 'the servers, and where one can log in or is logged in'],
    ['$0 mcp login docs', 'log in at mcp_servers.docs by OAuth, in the browser of this machine'],
    ['$0 mcp logout docs', 'forget the tokens of that login'],
  ],
  problem: ({ action, name, json, scope }) => {
    if (action === 'list') return name === undefined ? undefined : 'list takes no name';
    if (json) return '--json is for: mcp list';
    if (scope.length > 0 && action !== 'login') return '--scope is for: mcp login';
    return name === undefined ? `${action} needs the name of a server` : undefined;
  },
  run: ({ action, name = '', json, scope, config }) => {
    const processInfo = thisProcess();
    try {
      const servers = listedServers({ processInfo, options: { ...plainOptions, engine: 'native', overrides: config } });
      if (action === 'list') return showList(servers, json);
      const { url } = addressOf(servers, name);
      if (action === 'logout') return forget(name, url);
      const event$ = startMcpLogin({ here: processInfo, name, url, scopes: scope });
      event$.subscribe({ next: (event) => show(name, event), error: fail }).add(exitWhenWritten('mcp'));
    } catch (error) {
      fail({ message: reasonOf(error) });
      exitWhenWritten('mcp')();
    }
  },
});

const addressOf = (servers: readonly ListedServer[], name: string): { url: string } => {
  const found = servers.find((one) => one.name === name);
  if (found?.url !== undefined) return { url: found.url };
  throw new Error(
    found === undefined
      ? `there is no mcp_servers.${name} in the configuration; see codex-rx mcp list`
      : `${name} is started by a command, and has no login of its own`,
  );
};

const forget = (name: string, url: string): void => {
  const shown = toVisible(name);
  const show = ({ found }: { found?: unknown }) =>
    void process.stdout.write(
      found === undefined ? `Nobody was logged in at ${shown}.\n` : `Logged out of ${shown}.\n`,
    );
  mcpLoginsHere(thisProcess())
    .file.change({ name, url }, () => undefined)
    .subscribe({ next: show, error: fail })
    .add(exitWhenWritten('mcp'));
};

const fail = ({ message }: Pick<Error, 'message'>): void => {
  remark(message);
  process.exitCode = exitCode.failed;
};

const show = (name: string, event: McpLoginEvent): void => {
  if (event.kind === 'loggedIn') return void process.stdout.write(`Logged in at ${toVisible(name)}.\n`);
  const minutes = Math.round(event.limitMs / 60_000);
  const lines = [
    `Open this page within ${minutes} minutes, in a browser of this machine:`,
    '',
    `  ${toVisible(event.url)}`,
    '',
  ];
  process.stderr.write(lines.join('\n'));
};

const showList = (servers: readonly ListedServer[], json: boolean): void => {
  const shown = servers.map(({ name, place, login }) => ({ name, place, login }));
  const text = servers.length === 0 ? ['There are no MCP servers in the configuration.'] : toServerLines(servers);
  process.stdout.write(json ? `${JSON.stringify(shown, null, 2)}\n` : `${text.join('\n')}\n`);
  exitWhenWritten('mcp')();
};
