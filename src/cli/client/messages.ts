/** The messages that a small MCP client sends. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import type { Request, RequestId, Response } from '../../protocol/jsonrpc/messages';
import { NEWEST_LEGACY } from '../../protocol/mcp/mcp';

const request = (method: string, params: Request['params']) => (id: RequestId) =>
  ({ kind: 'request', id, method, params }) as const;

/** A call of a tool. */
export type Call = { name: string; arguments: JsonObject };

export const toToolCall =
  ({ name, arguments: args }: Call) =>
  (id: RequestId): Request =>
    request('tools/call', { name, arguments: args, _meta: { progressToken: `${name}-${id}` } })(id);

/** The first request; `capabilities` has `elicitation` if this client can show a question to a person. */
export const toInitialize = (clientInfo: JsonObject, capabilities: JsonObject): ((id: RequestId) => Request) =>
  request('initialize', { protocolVersion: NEWEST_LEGACY, capabilities, clientInfo });

export const initialized = { kind: 'notification', method: 'notifications/initialized', params: {} } as const;

export const toListTools = request('tools/list', {});

/** What a client reads of a tool call's result. */
export type ToolResult = { threadId: string; content: string; text: string };

/** The result of a call; undefined when it failed, or lacks its text or its structured content. */
export const toToolResult = (response: Response): ToolResult | undefined => {
  const result = 'result' in response ? response.result : undefined;
  if (!isObject(result) || result.isError === true || !isObject(result.structuredContent)) return undefined;
  const { threadId, content } = result.structuredContent;
  const [first] = Array.isArray(result.content) ? result.content : [];
  const text = isObject(first) ? first.text : undefined;
  return typeof threadId === 'string' && typeof content === 'string' && typeof text === 'string'
    ? { threadId, content, text }
    : undefined;
};
