/** What a client of MCP over HTTP learns from its server: the session, and where to send messages. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { parseLine, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import type { HttpResponse } from '../http/httpRequest';
import { isFine, isInitialize } from '../mcpHttp/exchange';

/** What a client knows of its server. */
export type ClientMemory = {
  /** A response came. */
  isReached: () => boolean;
  /** The server has the older transport. */
  isOlder: () => boolean;
  /** Undefined if the server has assigned none. */
  sessionId: () => string | undefined;
  postUrl: () => string;
  postHeaders: (line: string) => Record<string, string>;
  headers: () => Record<string, string>;
  /** Takes the response to a line; the response to `initialize` starts another session. */
  learn: (response: HttpResponse, line: string) => void;
  read: (line: string) => void;
  /** Messages go to this endpoint from now on. False if it is on another server, to which a server must not redirect messages. */
  moveTo: (endpoint: string) => boolean;
};

/** Makes a memory, which its functions change in place. */
export const clientMemory = (url: string): ClientMemory => {
  let [id, version, endpoint]: (string | undefined)[] = [];
  let reached = false;
  const session = () => ({ ...(id !== undefined && { id }), ...(version !== undefined && { version }) });
  return {
    isReached: () => reached,
    isOlder: () => endpoint !== undefined,
    sessionId: () => id,
    postUrl: () => endpoint ?? url,
    postHeaders: (line) => postHeaders(isInitialize(line) ? {} : session(), line),
    headers: () => sessionHeaders(session()),
    learn: ({ status, headers }, line) => {
      if (isFine(status) && isInitialize(line)) [id, version] = [undefined, undefined];
      const given = headers['mcp-session-id'];
      if (typeof given === 'string') id ??= given; // a late response of the previous session names that one
      reached = true;
    },
    read: (line) => {
      version ??= versionIn(line);
    },
    moveTo: (path) => {
      const moved = URL.canParse(path, url) ? new URL(path, url) : undefined;
      if (moved?.origin !== new URL(url).origin) return false;
      endpoint = moved.href;
      return true;
    },
  };
};

/** The revision in the response to `initialize`. */
const versionIn = (line: string): string | undefined => {
  for (const message of parseLine(line).messages) {
    const result = message.kind === 'response' ? message.body.result : undefined;
    if (isObject(result) && typeof result.protocolVersion === 'string') return result.protocolVersion;
  }
  return undefined;
};

/** What a client knows of its session: its id, and the revision that client and server agreed on. */
type HttpClientSession = { id?: string; version?: string };

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
