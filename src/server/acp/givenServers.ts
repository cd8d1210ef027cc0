/** The MCP servers that a client gives to a session, as config.toml would have them. */
import type { GivenServer } from '../../protocol/acp/params';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { INVALID_PARAMS, RpcError } from '../../protocol/jsonrpc/messages';
import { clipName } from '../../protocol/rpc/failureOutcome';
import { withFreeNames } from '../../streams/text/freeNames';

type Pair = { name: string; value: string };

/** The tables of the servers by their names. Throws RpcError for a server that cannot be reached. */
export const toTables = (servers: readonly GivenServer[]): Record<string, JsonObject> =>
  withFreeNames(servers.map((server) => [toServerName(server), toTable(server)]));

/** Tools are named after their server, and models take no other characters in a name. */
const toServerName = ({ name }: GivenServer): string => name.replace(/[^\w-]+/g, '_') || 'server';

const toTable = (server: GivenServer): JsonObject => {
  if (!('url' in server)) return { command: server.command, args: server.args ?? [], env: toRecord(server.env) };
  const fault = server.type === 'sse' ? IS_SSE : faultOfAddress(server.url, server.headers);
  if (fault === undefined) return { url: server.url, http_headers: toRecord(server.headers) };
  throw new RpcError(INVALID_PARAMS, `Invalid params: the MCP server ${clipName(server.name)} ${fault}`);
};

const IS_SSE = 'is reached by SSE, which this agent does not speak; give its address for streamable HTTP';

/** What is wrong with an address or its headers, as the rest of a sentence; undefined if nothing is. */
export const faultOfAddress = (url: string, headers: readonly Pair[] = []): string | undefined => {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return 'needs an address that begins with https:// or http://';
  return headers.every(isHeader) ? undefined : 'has a header whose name or value HTTP does not allow';
};

/** Source: RFC 9110, 5.1 and 5.5: a token, and no control characters. */
const isHeader = ({ name, value }: Pair): boolean =>
  /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

const toRecord = (pairs: readonly Pair[] = []): Record<string, string> =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
