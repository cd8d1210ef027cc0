/** The MCP servers of the configuration, and who is logged in there. */

import { configDeps, type Wiring } from '../../agent/wiring/wiring';
import { toPublicUrl } from '../../io/mcpServer/httpAddress';
import type { Config } from '../../settings/config';
import { loadConfig } from '../../settings/loadConfig';
import type { Credential } from '../../settings/mcpAuth/credentialFile';
import { mcpLoginsHere } from '../../settings/mcpLogins/mcpLoginsHere';
import { toPlace } from '../../settings/mcpLogins/toPlace';

/**
 * `place`: the program and what it runs, or the address, without what may be secret; `login`: how requests are authorized, `ended` where
 * the server rejected the tokens and gave no new ones. `url` is the whole address.
 */
export type ListedServer = {
  name: string;
  place: string;
  login: 'none' | 'token' | 'logged in' | 'ended' | '-';
  url?: string;
};

type McpServer = Config['mcpServers'][string];

/** Those that are enabled, in their order. Throws ConfigError. */
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

const hasToken = ({ bearerTokenEnvVar, httpHeaders, envHttpHeaders }: McpServer): boolean =>
  bearerTokenEnvVar !== undefined ||
  [...Object.keys(httpHeaders), ...Object.keys(envHttpHeaders)].some((name) => name.toLowerCase() === 'authorization');
