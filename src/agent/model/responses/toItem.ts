/** Reads the items of an answer of the Responses API. */

import { isObject, type JsonObject } from '../../../protocol/jsonrpc/json';
import type { ContentPart, ResponseItem } from '../../../protocol/model/items';

/** Reads an item of a Responses answer; undefined when a conversation here cannot hold it. */
export const toItem = (item: unknown): ResponseItem | undefined => {
  if (!isObject(item)) return undefined;
  switch (item.type) {
    case 'message':
      return toMessage(item);
    case 'function_call':
      return toCall(item);
    case 'custom_tool_call':
      return toCustomCall(item);
    case 'local_shell_call':
      return toLocalShellCall(item);
    case 'reasoning':
      return toReasoning(item);
    default:
      return undefined;
  }
};

const isText = (value: unknown): value is string => typeof value === 'string';

const textOrNull = (value: unknown): string | null => (isText(value) ? value : null);

/** All parts or nothing: half a message would pass for the whole. */
const allOf = <T>(values: unknown, read: (value: JsonObject) => T | undefined): T[] | undefined => {
  if (!Array.isArray(values)) return undefined;
  const parts = values.map((value) => (isObject(value) ? read(value) : undefined));
  return parts.every((part) => part !== undefined) ? parts : undefined;
};

const toMessage = ({ id, role, content }: JsonObject): ResponseItem | undefined => {
  const parts = allOf(content, toPart);
  return isText(role) && parts ? { type: 'message', id: textOrNull(id), role, content: parts } : undefined;
};

/** A refusal of the model is its message. */
const toPart = ({ type, text, image_url, refusal }: JsonObject): ContentPart | undefined => {
  if ((type === 'output_text' || type === 'input_text') && isText(text)) return { type, text };
  if (type === 'refusal' && isText(refusal)) return { type: 'output_text', text: refusal };
  return type === 'input_image' && isText(image_url) ? { type, image_url } : undefined;
};

/** Some servers send the arguments as an object, or the item's id only and no id of the call. */
const toCall = ({ id, name, arguments: given, call_id }: JsonObject): ResponseItem | undefined => {
  const args = isObject(given) ? JSON.stringify(given) : given;
  const callId = call_id ?? id;
  return isText(name) && isText(args) && isText(callId)
    ? { type: 'function_call', id: textOrNull(id), name, arguments: args, call_id: callId }
    : undefined;
};

const toCustomCall = ({ id, status, name, input, call_id }: JsonObject): ResponseItem | undefined =>
  isText(name) && isText(input) && isText(call_id)
    ? { type: 'custom_tool_call', id: textOrNull(id), ...(isText(status) && { status }), call_id, name, input }
    : undefined;

/** Older models identify such a call by the id of the item. */
const toLocalShellCall = ({ id, call_id, status, action }: JsonObject): ResponseItem | undefined =>
  isObject(action)
    ? {
        type: 'local_shell_call',
        id: textOrNull(id),
        call_id: textOrNull(call_id) ?? textOrNull(id) ?? '',
        status: textOrNull(status) ?? 'completed',
        action,
      }
    : undefined;

const toReasoning = ({ id, summary, content, encrypted_content }: JsonObject): ResponseItem | undefined => {
  const parts = allOf(summary, ({ type, text }) =>
    type === 'summary_text' && isText(text) ? { type: 'summary_text' as const, text } : undefined,
  );
  if (!isText(id) || !parts) return undefined;
  const thoughts = allOf(content, ({ type, text }) => (isText(type) && isText(text) ? { type, text } : undefined));
  const encrypted = textOrNull(encrypted_content);
  return {
    type: 'reasoning',
    id,
    summary: parts,
    ...(thoughts ? { content: thoughts } : {}),
    encrypted_content: encrypted,
  };
};
