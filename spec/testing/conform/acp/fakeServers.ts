/** Servers of MCP that only show how they were started or asked: what an agent of this process connects to. */
import { toObject } from '../../../../src/protocol/jsonrpc/json';
import { GIVEN, type GivenServers, type SeenMessage } from '../../../../src/testing/conform/probeServers';
import type { Json } from '../planting';

const seen = new Map<string, SeenMessage[]>(); // by the place of a server
let made = 0;

/** Those of one session. */
export const fakeServers = (): GivenServers => {
  made += 1;
  const place = (transport: string): string => `http://probe/${transport}/${made}`;
  const own = { stdio: place('stdio'), http: place('http'), sse: place('sse') };
  const behind = (type: 'http' | 'sse') => ({
    type,
    name: type,
    url: own[type],
    headers: [{ name: 'X-Given', value: GIVEN.header }],
  });
  return {
    stdio: {
      name: 'stdio',
      command: '/probe',
      args: [own.stdio, ...GIVEN.args],
      env: [{ name: 'VALUE', value: GIVEN.variable }],
    },
    http: behind('http'),
    sse: behind('sse'),
    seen: (transport) => seen.get(own[transport]) ?? [],
  };
};

/** Connects to servers, as far as they are of these. */
export const connectTo = (servers: unknown): void => {
  for (const server of Array.isArray(servers) ? servers.map(toObject) : []) {
    const [place, ...args] = Array.isArray(server.args) ? server.args : [server.url];
    const [first] = (server.env ?? server.headers ?? []) as Json[];
    const given =
      server.type === undefined ? { args, variable: String(first?.value) } : { header: String(first?.value) };
    seen.set(String(place), [{ method: 'initialize', ...given }]);
  }
};
