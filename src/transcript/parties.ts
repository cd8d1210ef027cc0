/** Owns who talks on a tape, as they introduce themselves. */
import { isObject, type JsonObject } from '../protocol';
import type { Said } from './tape';

/** Names and versions as they were given; `protocol` is the revision of MCP that is spoken. */
export type Parties = { client?: JsonObject; server?: JsonObject; protocol?: string };

/** What one message tells of them. Revision 2026-07-28 has no handshake: each request brings its client along. */
const introduced = (message: JsonObject): Parties => {
  const [params, result] = [objectOf(message.params), objectOf(message.result)];
  const meta = objectOf(params._meta);
  const server = result.serverInfo ?? objectOf(result._meta)['io.modelcontextprotocol/serverInfo'];
  const client = params.clientInfo ?? meta['io.modelcontextprotocol/clientInfo'];
  const protocol = result.protocolVersion ?? meta['io.modelcontextprotocol/protocolVersion'];
  return {
    ...(isObject(client) && { client }),
    ...(isObject(server) && { server }),
    ...(typeof protocol === 'string' && { protocol }),
  };
};

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

const parse = (line: string): JsonObject => {
  try {
    return objectOf(JSON.parse(line));
  } catch {
    return {};
  }
};

/** Sessions introduce themselves at their beginning. */
const MAX_LINES = 32;
const MAX_LINE = 65_536;

/** Tells what is known of the parties, each time something is heard that says more; undefined otherwise. */
export const introductions = (): ((said: Said) => Parties | undefined) => {
  let lines = 0;
  let known: Parties = {};
  return ({ seam = 'mcp', line }) => {
    if (lines >= MAX_LINES || seam !== 'mcp' || line.length > MAX_LINE) return undefined;
    lines += 1;
    const more = { ...introduced(parse(line)), ...known };
    if (Object.keys(more).length === Object.keys(known).length) return undefined;
    known = more;
    return known;
  };
};
