/** The MCP servers of the configuration, and who is logged in there. */
import { type Config, loadConfig } from '../../config';
import { configDeps, type Wiring } from '../engines/wiring';
import { toPublicUrl } from '../tape/httpAddress';
import { mcpLoginsHere } from './mcpLoginsHere';

/** `place`: the program, or the address without what may be secret; `login`: by what it is reached. `url` is the whole address. */
export type ListedServer = {
  name: string;
  place: string;
  login: 'none' | 'token' | 'logged in' | '-';
  url?: string;
};

type McpServer = Config['mcpServers'][string];

/** Those that are enabled, in their order. Throws ConfigError. */
export const listedServers = (wiring: Pick<Wiring, 'processInfo' | 'options'>): ListedServer[] => {
  const { file } = mcpLoginsHere(wiring.processInfo);
  const { mcpServers } = loadConfig(configDeps(wiring))({});
  return Object.entries(mcpServers).map(([name, server]): ListedServer => {
    const { command, url = '' } = server;
    if (command !== undefined || !URL.canParse(url)) return { name, place: command ?? '?', login: '-' };
    const isKnown = file.find({ name, url }) !== undefined;
    return {
      name,
      url,
      place: toPublicUrl(new URL(url)),
      login: hasToken(server) ? 'token' : isKnown ? 'logged in' : 'none',
    };
  });
};

const hasToken = ({ bearerTokenEnvVar, httpHeaders, envHttpHeaders }: McpServer): boolean =>
  bearerTokenEnvVar !== undefined ||
  [...Object.keys(httpHeaders), ...Object.keys(envHttpHeaders)].some((name) => name.toLowerCase() === 'authorization');
