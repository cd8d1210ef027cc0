/** The messages that the client of the demonstration sends. */
import { isObject } from '../../protocol/jsonrpc/json';
import type { Request, RequestId, Response } from '../../protocol/jsonrpc/messages';
import { NEWEST_LEGACY } from '../../protocol/mcp/mcp';
import { PROMPTS } from './scene';

const request = (method: string, params: Request['params']) => (id: RequestId) =>
  ({ kind: 'request', id, method, params }) as const;

const call = (id: RequestId, name: string, args: Request['params']): Request =>
  request('tools/call', { name, arguments: args, _meta: { progressToken: `${name}-${id}` } })(id);

/** The first request: this client can show a question to a person. */
export const toInitialize = (version: string): ((id: RequestId) => Request) =>
  request('initialize', {
    protocolVersion: NEWEST_LEGACY,
    capabilities: { elicitation: {} },
    clientInfo: { name: 'codex-rx-demo', version },
  });

export const initialized = { kind: 'notification', method: 'notifications/initialized', params: {} } as const;

export const toListTools = request('tools/list', {});

/** The policy `untrusted` asks before every command that does more than read. */
export const toCodex =
  (cwd: string) =>
  (id: RequestId): Request =>
    call(id, 'codex', { prompt: PROMPTS.codex, cwd, 'approval-policy': 'untrusted', sandbox: 'workspace-write' });

export const toReply =
  (threadId: string) =>
  (id: RequestId): Request =>
    call(id, 'codex-reply', { prompt: PROMPTS.reply, threadId });

/** The answer of a person to a question. */
export const toAnswer = ({ id }: Request, isYes: boolean): Response => ({
  kind: 'response',
  id,
  result: isYes ? { action: 'accept', content: { decision: 'approved' } } : { action: 'decline' },
});

/** What the demonstration reads of a tool call's result. */
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
