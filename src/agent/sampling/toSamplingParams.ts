/** A request to a model as the params of `sampling/createMessage`. */
import type { Samples } from '../../protocol/codex/operations';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { parseObject } from '../../protocol/jsonrpc/json';
import type { ContentPart, ResponseItem } from '../../protocol/model/items';
import type { ModelRequest, ToolSpec } from '../../protocol/model/request';

type SamplingMessage = { role: 'user' | 'assistant'; content: JsonObject[] };

/** MCP requires a limit, in tokens; this is that of most models. */
const MAX_TOKENS = 8_192;

/**
 * The params: instructions, conversation, and the tools where the client accepts them. A message has one content block, or a list where it has
 * more, which is sent only to clients with tools.
 * Source: MCP 2025-06-18 and 2025-11-25, `CreateMessageRequestParams`.
 */
export const toSamplingParams = (
  { model, instructions, input, tools, maxOutputTokens = MAX_TOKENS }: ModelRequest,
  samples: Samples,
): JsonObject => ({
  messages: toMessages(input).flatMap(samples === 'tools' ? together : apart),
  modelPreferences: { hints: [{ name: model }] },
  systemPrompt: instructions,
  includeContext: 'none',
  maxTokens: maxOutputTokens,
  ...(samples === 'tools' && { tools: tools.flatMap(toTool), toolChoice: { mode: 'auto' } }),
});

const together = ({ role, content }: SamplingMessage): JsonObject[] => [
  { role, content: content.length === 1 ? content[0] : content },
];

const apart = ({ role, content }: SamplingMessage): JsonObject[] => content.map((one) => ({ role, content: one }));

const toTool = (tool: ToolSpec): JsonObject[] =>
  tool.type === 'function' ? [{ name: tool.name, description: tool.description, inputSchema: tool.parameters }] : [];

/** Consecutive contents of one role form one message; tool results stand alone. Source: MCP 2025-11-25. */
const toMessages = (input: readonly ResponseItem[]): SamplingMessage[] => {
  const messages: SamplingMessage[] = [];
  for (const item of input) {
    const { role, content } = toMessage(item);
    const last = messages.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role && isResult(last) === isResult({ role, content })) last.content.push(...content);
    else messages.push({ role, content });
  }
  return messages;
};

const isResult = ({ content }: SamplingMessage): boolean => content[0]?.type === 'tool_result';

const toMessage = (item: ResponseItem): SamplingMessage => {
  switch (item.type) {
    case 'message':
      return { role: item.role === 'assistant' ? 'assistant' : 'user', content: item.content.flatMap(toContent) };
    case 'function_call':
      return { role: 'assistant', content: [toToolUse(item.call_id, item.name, parseObject(item.arguments) ?? {})] };
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'user', content: [toToolResult(item)] };
    default:
      return { role: 'assistant', content: [] }; // a client's model has only functions, and shows no reasoning
  }
};

const toToolUse = (id: string, name: string, input: JsonObject): JsonObject => ({ type: 'tool_use', id, name, input });

const toToolResult = ({ call_id, output }: { call_id: string; output: string }): JsonObject => ({
  type: 'tool_result',
  toolUseId: call_id,
  content: [{ type: 'text', text: output }],
});

const DATA_URL = /^data:([^;,]+);base64,(.*)$/s;

/** An image given by its address cannot be sent; its address can. */
const toContent = (part: ContentPart): JsonObject[] => {
  if (part.type !== 'input_image') return [{ type: 'text', text: part.text }];
  const [, mimeType, data] = DATA_URL.exec(part.image_url) ?? [];
  return [data === undefined ? { type: 'text', text: part.image_url } : { type: 'image', mimeType, data }];
};
