/** `codex-rx mcp`: shows the MCP servers of the configuration, and logs in at those behind a URL. */
import { basename } from 'node:path';
import { configDeps, type Wiring } from '../../agent/wiring/wiring';
import { redactText } from '../../io/log/redactText';
import { toPublicUrl } from '../../io/mcpServer/httpAddress';
import { fillTo, widthOf } from '../../io/terminal/width';
import type { Config } from '../../settings/config';
import { loadConfig } from '../../settings/loadConfig';
import type { Credential } from '../../settings/mcpAuth/credentialFile';
import type { McpLoginEvent } from '../../settings/mcpAuth/mcpLogin';
import { mcpLoginsHere, startMcpLogin } from '../../settings/mcpLogins/mcpLoginsHere';
import { reasonOf } from '../../streams/text/reasons';
import { withoutLogin } from '../../streams/text/trim';
import { toVisible } from '../../streams/text/visible';
import { defineCommand } from '../command';
import { overrideOption, plainOptions } from '../commonOptions';
import { exitWhenWritten, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { print } from '../terminal';
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
      describe: 'A scope to request. Default: the scopes that the server proposes',
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
      const servers = listedServers({ processInfo, options: { ...plainOptions, overrides: config } });
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
    print(found === undefined ? `Nobody was logged in at ${shown}.\n` : `Logged out of ${shown}.\n`);
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
  if (event.kind === 'loggedIn') {
    print(`Logged in at ${toVisible(name)}.\n`);
    return;
  }
  const minutes = Math.round(event.limitMs / 60_000);
  const lines = [
    `Open this page within ${minutes} minutes, in a browser of this machine:`,
    '',
    `  ${toVisible(event.url)}`,
    '',
  ];
  print(lines.join('\n'), process.stderr);
};

const showList = (servers: readonly ListedServer[], json: boolean): void => {
  const shown = servers.map(({ name, place, login }) => ({ name, place, login }));
  const text = servers.length === 0 ? ['There are no MCP servers in the configuration.'] : toServerLines(servers);
  print(json ? `${JSON.stringify(shown, null, 2)}\n` : `${text.join('\n')}\n`);
  exitWhenWritten('mcp')();
};

type ListedServer = {
  name: string;
  /** The program and what it runs, or the address, without secrets. */
  place: string;
  /** How requests are authorized; `ended`: the server rejected the tokens and gave no new ones. */
  login: 'none' | 'token' | 'logged in' | 'ended' | '-';
  /** The whole address. */
  url?: string;
};

/** The servers that are enabled, in their order. Throws ConfigError. */
export const listedServers = (wiring: Pick<Wiring, 'processInfo' | 'options'>): ListedServer[] => {
  const { file, now } = mcpLoginsHere(wiring.processInfo);
  const { mcpServers } = loadConfig(configDeps(wiring))({});
  return Object.entries(mcpServers).map(([name, server]): ListedServer => {
    const { command, args, url = '' } = server;
    if (command !== undefined) return { name, place: toPlace(command, args), login: '-' };
    if (!URL.canParse(url)) return { name, place: '?', login: '-' };
    return {
      name,
      url,
      place: toPublicUrl(new URL(url)),
      login: hasToken(server) ? 'token' : stateOf(file.find({ name, url }), now()),
    };
  });
};

const stateOf = (login: Credential | undefined, nowMs: number): ListedServer['login'] => {
  if (login === undefined) return 'none';
  const { isRefused, refreshToken, expiresMs = Number.POSITIVE_INFINITY } = login;
  return isRefused || (refreshToken === undefined && expiresMs <= nowMs) ? 'ended' : 'logged in';
};

const hasToken = ({ bearerTokenEnvVar, httpHeaders, envHttpHeaders }: Config['mcpServers'][string]): boolean =>
  bearerTokenEnvVar !== undefined ||
  [...Object.keys(httpHeaders), ...Object.keys(envHttpHeaders)].some((name) => name.toLowerCase() === 'authorization');

/** Columns for what a login is called. */
const LOGIN_WIDTH = 9;

/** A line for each server: its name, its login, its place, in columns; control characters are escaped. */
export const toServerLines = (servers: readonly Omit<ListedServer, 'url'>[]): string[] => {
  const names = servers.map(({ name }) => toVisible(name));
  const width = Math.max(0, ...names.map(widthOf));
  return servers.map(
    ({ login, place }, at) => `${fillTo(names[at] ?? '', width)}  ${fillTo(login, LOGIN_WIDTH)}  ${toVisible(place)}`,
  );
};

/** Programs that run others. Their options that take no value, and the word before what they run. */
const LAUNCHERS: Readonly<Record<string, readonly string[]>> = {
  npx: ['-y', '--yes', '-q', '--quiet', '--'],
  bunx: ['-y', '--bun'],
  pnpm: ['dlx', 'exec'],
  uvx: ['-q', '--quiet'],
  uv: ['run', 'tool', '-q'],
  pipx: ['run', '-q'],
  node: ['--'],
  bun: ['run', 'x'],
  deno: ['run', '-A', '--allow-all'],
  tsx: [],
  java: ['-jar'],
  dotnet: ['run', 'exec'],
  python: ['-m', '-u'],
  python3: ['-m', '-u'],
  ruby: [],
  sh: [],
  bash: [],
  docker: ['run', '-i', '--rm'],
  podman: ['run', '-i', '--rm'],
};

/** The program, and what it runs if it is a launcher: `npx -y some-mcp`. Further arguments are left out: they may hold secrets. */
export const toPlace = (command: string, args: readonly string[]): string => {
  const options = LAUNCHERS[basename(command).replace(/\.(?:exe|cmd)$/i, '')];
  if (options === undefined) return command;
  const at = args.findIndex((word) => !options.includes(word));
  const target = args[at];
  if (target === undefined || target.startsWith('-')) return command;
  return hide([command, ...args.slice(0, at), withoutLogin(target)].join(' '));
};

const hide = redactText({ secrets: [], maxChars: 200 });
