/** The headers that a client of MCP over HTTP sends. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { parseLine, type TapeMessage } from '../../protocol/jsonrpc/parseLine';

/** What a client knows of its session: its id, and the revision that client and server agreed on. */
export type HttpClientSession = { id?: string; version?: string };

const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** Params that `Mcp-Name` repeats, by method. Source: MCP 2026-07-28, Streamable HTTP, standard headers. */
const NAMES: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** The headers of every request of a session. */
export const sessionHeaders = ({ id, version }: HttpClientSession): Record<string, string> => ({
  ...(id !== undefined && { 'mcp-session-id': id }),
  ...(version !== undefined && { 'mcp-protocol-version': version }),
});

/** The headers of the POST of a line. In revision 2026-07-28 some repeat parts of the line. */
export const postHeaders = (session: HttpClientSession, line: string): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  ...sessionHeaders(session),
  ...repeated(parseLine(line).messages[0]),
});

const repeated = (message: TapeMessage | undefined): Record<string, string> => {
  if (message?.kind !== 'request' || !isObject(message.params)) return {};
  const { method, params } = message;
  const version = isObject(params._meta) ? params._meta[VERSION] : undefined;
  if (typeof version !== 'string') return {};
  return { 'mcp-protocol-version': version, 'mcp-method': method, ...nameOf(method, params) };
};

const nameOf = (method: string, params: JsonObject): Record<string, string> => {
  const name = params[NAMES[method] ?? ''];
  return typeof name === 'string' ? { 'mcp-name': toHeader(name) } : {};
};

/** A value that a header cannot hold verbatim is sent as base64. */
const toHeader = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;
