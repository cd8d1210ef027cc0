/** The model of a client as the model of a turn: the request as `sampling/createMessage`, the result as events. */
import { type Observable, of, throwError } from 'rxjs';
import type { Ask } from '../../protocol/codex/engine';
import type { Sampling } from '../../protocol/codex/events';
import type { Samples } from '../../protocol/codex/operations';
import { isObject, type JsonObject, parseObject } from '../../protocol/jsonrpc/json';
import type { ModelEvent } from '../../protocol/model/events';
import type { ContentPart, ResponseItem } from '../../protocol/model/items';
import { ModelError } from '../../protocol/model/model';
import type { ModelRequest, ToolSpec } from '../../protocol/model/request';
import type { BegunTurn } from '../thread/steps';

/**
 * Asks the client for an answer of its model. Emits the question, then the answer as a model would emit it. Errors with ModelError if the
 * client cannot be asked, declines, or sends something that is not an answer.
 *   ask  ----y         (y the answer)
 *   out  Q---(mz|)     (Q the question, m a message, z completed)
 */
export const sampleClient = (
  ask: Ask,
  { op, thread }: Pick<BegunTurn, 'op' | 'thread'>,
  request: ModelRequest,
): Observable<ModelEvent | Sampling> => {
  const { callId, samples } = op;
  const params = toSamplingParams(request, samples ?? 'text');
  return ask<ModelEvent | Sampling>(
    { callId, askable: samples !== undefined, cannotAsk: NO_SAMPLING },
    (question) => ({ kind: 'sampling', callId, threadId: thread.id, question, params }),
    ({ sampled, reason }) => {
      if (sampled === undefined) return throwError(() => noAnswer(reason));
      const answer = toSampled(sampled);
      return 'fault' in answer ? throwError(() => noAnswer(answer.fault)) : of(...answer.events);
    },
  );
};

const NO_SAMPLING = 'it declared no sampling; choose another model_provider';

const noAnswer = (reason = 'it declined'): ModelError =>
  new ModelError(`no answer from the client's model: ${reason}`, false);

/** The events, or why the result is no answer. */
type Sampled = { events: readonly ModelEvent[] } | { fault: string };

/** The events of an answer: its text as one message, then its tool calls, then its end. Source: MCP 2025-06-18 and 2025-11-25, `CreateMessageResult`. */
export const toSampled = ({ content, stopReason }: JsonObject): Sampled => {
  if (stopReason === 'maxTokens') return { fault: 'it was cut off at its token limit' };
  const parts = (Array.isArray(content) ? content : [content]).filter(isObject);
  const texts = parts.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
  const items = [...toAnswer(texts.join('\n')), ...parts.flatMap(toCallItem)];
  if (items.length === 0) return { fault: 'it has neither text nor a tool call' };
  const events = items.map((item): ModelEvent => ({ kind: 'item', item }));
  return { events: [...events, { kind: 'completed', responseId: '', usage: null }] };
};

/** A message of the model; none without text. */
export const toAnswer = (text: string): ResponseItem[] =>
  text === '' ? [] : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }];

const toCallItem = ({ type, id, name, input }: JsonObject): ResponseItem[] =>
  type === 'tool_use' && typeof id === 'string' && typeof name === 'string'
    ? [{ type: 'function_call', name, arguments: JSON.stringify(input ?? {}), call_id: id }]
    : [];

type SamplingMessage = { role: 'user' | 'assistant'; content: JsonObject[] };

/** MCP requires a limit, in tokens; this is that of most models. */
const MAX_TOKENS = 8_192;

/**
 * The params: instructions, conversation, and the tools if the client accepts them. A message has one content block, or a list of several, which is
 * sent only to clients with tools.
 * Source: MCP 2025-06-18 and 2025-11-25, `CreateMessageRequestParams`.
 */
export const toSamplingParams = (
  { model, instructions, input, tools, maxOutputTokens = MAX_TOKENS }: ModelRequest,
  samples: Samples,
): JsonObject => ({
  messages: toMessages(input).flatMap(samples === 'tools' ? together : onePerMessage),
  modelPreferences: { hints: [{ name: model }] },
  systemPrompt: instructions,
  includeContext: 'none',
  maxTokens: maxOutputTokens,
  ...(samples === 'tools' && { tools: tools.flatMap(toTool), toolChoice: { mode: 'auto' } }),
});

const together = ({ role, content }: SamplingMessage): JsonObject[] => [
  { role, content: content.length === 1 ? content[0] : content },
];

const onePerMessage = ({ role, content }: SamplingMessage): JsonObject[] =>
  content.map((one) => ({ role, content: one }));

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
