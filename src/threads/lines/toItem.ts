/** Reads the item of a conversation from a rollout of any release. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import type { ContentPart, ResponseItem } from '../../protocol/model/items';
import { textsOf } from './textsOf';

/**
 * The item, with the members that a model provider takes; undefined for one of another kind, such as a web search.
 * Source: rollouts of codex 0.28.0, 0.142.0 and 0.169.0.
 */
export const toItem = (item: JsonObject): ResponseItem | undefined => {
  switch (item.type) {
    case 'message':
      return { type: 'message', ...ownId(item), role: textOf(item.role), content: partsOf(item.content) };
    case 'reasoning':
      return toReasoning(item);
    case 'function_call':
      return {
        type: item.type,
        ...ownId(item),
        ...nameOf(item),
        arguments: textOf(item.arguments),
        call_id: idOf(item),
        ...(isObject(item.extra_content) && { extra_content: item.extra_content }),
      };
    case 'custom_tool_call':
      return { type: item.type, ...ownId(item), ...nameOf(item), input: textOf(item.input), call_id: idOf(item) };
    case 'local_shell_call':
      return { type: 'function_call', name: 'shell', arguments: actionOf(item.action), call_id: idOf(item) };
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { type: item.type, call_id: idOf(item), output: outputOf(item.output) };
    default:
      return undefined;
  }
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const nameOf = ({ name }: JsonObject): { name: string } => ({ name: textOf(name) });

/** The id that the provider gave the item. */
const ownId = ({ id }: JsonObject): { id?: string } => (typeof id === 'string' ? { id } : {});

const idOf = ({ call_id, id }: JsonObject): string => textOf(call_id) || textOf(id);

/** Parts of other kinds, such as audio, are left out. */
const partsOf = (content: unknown): ContentPart[] =>
  Array.isArray(content) ? content.flatMap((part) => (isObject(part) ? toPart(part) : [])) : [];

const toPart = ({ type, text, image_url }: JsonObject): ContentPart[] => {
  if (type === 'input_image') return typeof image_url === 'string' ? [{ type, image_url }] : [];
  if (typeof text !== 'string') return [];
  return [{ type: type === 'output_text' ? 'output_text' : 'input_text', text }];
};

const toReasoning = ({ id, summary, content, encrypted_content }: JsonObject): ResponseItem => ({
  type: 'reasoning',
  id: textOf(id),
  summary: textsOf(summary).map((text) => ({ type: 'summary_text', text })),
  ...(Array.isArray(content) && { content: textsOf(content).map((text) => ({ type: 'reasoning_text', text })) }),
  ...(typeof encrypted_content === 'string' && { encrypted_content }),
});

const actionOf = (action: unknown): string => JSON.stringify({ command: isObject(action) ? action.command : [] });

/** Newer releases keep outputs with pictures as a list of parts. */
const outputOf = (output: unknown): string => {
  if (typeof output === 'string') return output;
  if (Array.isArray(output)) return textsOf(output).join('');
  return isObject(output) && typeof output.content === 'string' ? output.content : JSON.stringify(output ?? '');
};
