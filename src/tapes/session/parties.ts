/** Finds the client and the server of a session by their handshake. */
import { isObject, type JsonObject, parseJson, toObject } from '../../protocol/jsonrpc/json';
import type { RecordedLine, RecordedLines } from '../format/tape';
import { toTexts } from '../format/tapeLines';

/** The two sides of a session, with names and versions as they stated them. */
export type Parties = {
  client?: JsonObject;
  server?: JsonObject;
  /** The revision of MCP that they agreed on, or `ACP` and the version of the Agent Client Protocol. */
  protocol?: string;
};

/** The parties after one more message. The first names stay; a revision that was agreed on replaces a revision that was only asked for. */
export const withParties = (known: Parties, message: unknown): Parties => {
  if (known.client && known.server && known.protocol !== undefined) return known;
  const agreed = protocolOf(toObject(toObject(message).result).protocolVersion);
  const more = { ...partiesIn(toObject(message)), ...known, ...(agreed !== undefined && { protocol: agreed }) };
  const isSame = Object.keys(more).length === Object.keys(known).length && more.protocol === known.protocol;
  return isSame ? known : more;
};

/** The version of the Agent Client Protocol is a number, that of MCP a text. */
const protocolOf = (version: unknown): string | undefined => {
  if (typeof version === 'number') return `ACP ${version}`;
  return typeof version === 'string' ? version : undefined;
};

/** Revision 2026-07-28 has no handshake: each request names its client. */
const partiesIn = (message: JsonObject): Parties => {
  const [params, result] = [toObject(message.params), toObject(message.result)];
  const meta = toObject(params._meta);
  const server = result.serverInfo ?? result.agentInfo ?? toObject(result._meta)['io.modelcontextprotocol/serverInfo'];
  const client = params.clientInfo ?? meta['io.modelcontextprotocol/clientInfo'];
  const protocol = protocolOf(result.protocolVersion ?? meta['io.modelcontextprotocol/protocolVersion']);
  return {
    ...(isObject(client) && { client }),
    ...(isObject(server) && { server }),
    ...(protocol !== undefined && { protocol }),
  };
};

/** The handshake is at the beginning of a session. */
const MAX_LINES = 32;
const MAX_LINE_CHARS = 65_536;

/** For a recorder: a function that returns the parties if lines add to what is known of them, else undefined. */
export const trackParties = (): ((recorded: RecordedLine | RecordedLines) => Parties | undefined) => {
  let lines = 0;
  let known: Parties = {};
  const add = ({ seam = 'mcp', line }: RecordedLine): void => {
    if (seam !== 'mcp' || line.length > MAX_LINE_CHARS) return;
    lines += 1;
    known = withParties(known, parseJson(line));
  };
  return (recorded) => {
    if (lines >= MAX_LINES) return undefined;
    const before = known;
    for (const one of toTexts(recorded, MAX_LINES - lines)) add(one);
    return known === before ? undefined : known;
  };
};
