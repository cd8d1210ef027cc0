/** Finds who talks in a session, as they introduce themselves. */
import { isObject, type JsonObject } from '../protocol/jsonrpc';
import type { RecordedLine } from '../tape';

/** Names and versions as they were given; `protocol` is the revision of MCP that is spoken. */
export type Parties = { client?: JsonObject; server?: JsonObject; protocol?: string };

/** What is known of the parties after one more message; the first introduction of each stays. */
export const withParties = (known: Parties, message: unknown): Parties => {
  if (known.client && known.server && known.protocol !== undefined) return known;
  const more = { ...partiesIn(objectOf(message)), ...known };
  return Object.keys(more).length === Object.keys(known).length ? known : more;
};

/** Revision 2026-07-28 has no handshake: each request brings its client along. */
const partiesIn = (message: JsonObject): Parties => {
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

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // it introduces nobody
  }
};

/** Sessions introduce themselves at their beginning. */
const MAX_LINES = 32;
const MAX_LINE_CHARS = 65_536;

/** For a recorder: gives the parties each time a line says more about them than was known, else undefined. */
export const trackParties = (): ((said: RecordedLine) => Parties | undefined) => {
  let lines = 0;
  let known: Parties = {};
  return ({ seam = 'mcp', line }) => {
    if (lines >= MAX_LINES || seam !== 'mcp' || line.length > MAX_LINE_CHARS) return undefined;
    lines += 1;
    const before = known;
    known = withParties(before, parse(line));
    return known === before ? undefined : known;
  };
};
