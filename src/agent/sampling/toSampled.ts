/** The result of `sampling/createMessage` as events of a model. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import type { ModelEvent } from '../../protocol/model/events';
import type { ResponseItem } from '../../protocol/model/items';

/** The events, or why the result is no answer. */
export type Sampled = { events: readonly ModelEvent[] } | { fault: string };

/**
 * The events of an answer: its text as one message, then its tool calls, then its end.
 * Source: MCP 2025-06-18 and 2025-11-25, `CreateMessageResult`.
 */
export const toSampled = ({ content, stopReason }: JsonObject): Sampled => {
  if (stopReason === 'maxTokens') return { fault: 'it was cut off at its token limit' };
  const parts = (Array.isArray(content) ? content : [content]).filter(isObject);
  const texts = parts.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
  const items = [...toMessages(texts.join('\n')), ...parts.flatMap(toCall)];
  if (items.length === 0) return { fault: 'it has neither text nor a tool call' };
  const events = items.map((item): ModelEvent => ({ kind: 'item', item }));
  return { events: [...events, { kind: 'completed', responseId: '', usage: null }] };
};

const toMessages = (text: string): ResponseItem[] =>
  text === '' ? [] : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }];

const toCall = ({ type, id, name, input }: JsonObject): ResponseItem[] =>
  type === 'tool_use' && typeof id === 'string' && typeof name === 'string'
    ? [{ type: 'function_call', name, arguments: JSON.stringify(input ?? {}), call_id: id }]
    : [];
