/** What a client of MCP over HTTP learns from its server: the session, and where to send messages. */
import { isObject } from '../../protocol/jsonrpc/json';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import type { HttpResponse } from '../http/httpRequest';
import { isFine } from '../mcpHttp/isFine';
import { isInitialize } from '../mcpHttp/isInitialize';
import { postHeaders, sessionHeaders } from './requestHeaders';

/**
 * `isReached`: a response came; `isOlder`: the server has the older transport; `sessionId`: undefined where the server has assigned none; `learn` takes
 * the response to a line; the response to `initialize` starts the session anew; `moveTo`: messages go to this endpoint from now on; false
 * where the endpoint is on another server, to which a server must not redirect messages.
 */
export type ClientMemory = {
  isReached: () => boolean;
  isOlder: () => boolean;
  sessionId: () => string | undefined;
  postUrl: () => string;
  postHeaders: (line: string) => Record<string, string>;
  headers: () => Record<string, string>;
  learn: (response: HttpResponse, line: string) => void;
  read: (line: string) => void;
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
