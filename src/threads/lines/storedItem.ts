/** Reads one item of a rollout, as any release of Codex has written it. */
import { isObject, type JsonObject, textOf } from '../../protocol/jsonrpc/json';
import type { ContentPart, ResponseItem } from '../../protocol/model/items';
import { MAX_OUTPUT_BYTES, shorten } from '../../protocol/model/shorten';
import { textsOf } from './prompts';

/**
 * The item, with the members that a model provider takes; undefined for an item of another kind, such as a picture that the model made.
 * Source: rollouts of codex 0.28.0, 0.142.0 and 0.169.0.
 */
export const toItem = (item: JsonObject): ResponseItem | undefined => {
  switch (item.type) {
    case 'message':
      return toMessage(item);
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
      return { type: item.type, call_id: idOf(item), output: shortOutput(outputOf(item.output)), ...imagesOf(item) };
    default:
      return toProviderItem(item);
  }
};

const toMessage = ({ role, content, phase, ...item }: JsonObject): ResponseItem => ({
  type: 'message',
  ...ownId(item),
  role: textOf(role),
  content: partsOf(content),
  ...(typeof phase === 'string' && { phase }),
});

const toProviderItem = ({ type, encrypted_content, status, action }: JsonObject): ResponseItem | undefined => {
  switch (type) {
    case 'compaction':
    case 'compaction_summary':
    case 'context_compaction':
      return typeof encrypted_content === 'string' ? { type, encrypted_content } : undefined;
    case 'web_search_call':
      return { type, ...(typeof status === 'string' && { status }), ...(isObject(action) && { action }) };
    default:
      return undefined;
  }
};

const nameOf = ({ name }: JsonObject): { name: string } => ({ name: textOf(name) });

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

const toReasoning = ({ id, summary, content, encrypted_content, extra_content }: JsonObject): ResponseItem => ({
  type: 'reasoning',
  id: textOf(id),
  summary: textsOf(summary).map((text) => ({ type: 'summary_text', text })),
  ...(Array.isArray(content) && { content: textsOf(content).map((text) => ({ type: 'reasoning_text', text })) }),
  ...(typeof encrypted_content === 'string' && { encrypted_content }),
  ...(isObject(extra_content) && { extra_content }),
});

const actionOf = (action: unknown): string => JSON.stringify({ command: isObject(action) ? action.command : [] });

/** The pictures of an output: among its parts, or as this program keeps them. */
const imagesOf = ({ output, images }: JsonObject): { images?: string[] } => {
  const parts = Array.isArray(output) ? partsOf(output) : [];
  const found = [
    ...parts.flatMap((part) => (part.type === 'input_image' ? [part.image_url] : [])),
    ...(Array.isArray(images) ? images.filter((image) => typeof image === 'string') : []),
  ];
  return found.length === 0 ? {} : { images: found };
};

/** An output that this program wrote is not longer; Codex stores whole outputs, and shortens what it sends. Source: process_item of codex-rs/core. */
const LONGEST = 4 * MAX_OUTPUT_BYTES;

const shortOutput = (output: string): string => (output.length > LONGEST ? shorten(output) : output);

/** Newer releases keep outputs with pictures as a list of parts. */
const outputOf = (output: unknown): string => {
  if (typeof output === 'string') return output;
  if (Array.isArray(output)) return textsOf(output).join('');
  return isObject(output) && typeof output.content === 'string' ? output.content : JSON.stringify(output ?? '');
};
