/** Reads single events of the Responses API, and the items of its answers. */
import { isObject, isText, type JsonObject, textOf, toObject, wordOf } from '../../../protocol/jsonrpc/json';
import type { ModelEvent } from '../../../protocol/model/events';
import type { ContentPart, ResponseItem } from '../../../protocol/model/items';
import type { ModelError } from '../../../protocol/model/model';
import { toToolName } from '../../modelHttp/callNames';
import { incompleteFailure, reportedFailure } from '../../modelHttp/failures';
import { errorIn, wordsOf } from '../../modelHttp/serverError';
import { toResponsesUsage } from '../../modelHttp/usage';

/** The event of one piece of data; undefined for an unknown event. Throws ModelError if the server reports an error. */
export const readResponsesEvent = (event: JsonObject): ModelEvent | undefined => {
  switch (event.type) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return toDelta('text', event);
    case 'response.reasoning_summary_text.delta':
      return toDelta('reasoning', event);
    case 'response.reasoning_text.delta':
      return toDelta('rawReasoning', event);
    case 'response.reasoning_summary_part.added':
      return { kind: 'reasoningBreak', itemId: textOf(event.item_id) };
    case 'response.output_item.added':
      return toAddedEvent(event);
    case 'response.output_item.done':
      return toItemEvent(event);
    case 'response.completed':
    case 'response.done':
      return toCompleted(event);
    case 'response.failed':
    case 'response.cancelled':
    case 'response.incomplete':
    case 'error':
      throw toFailure(event);
    default:
      return refuseError(event);
  }
};

/** Throws ModelError for an error in the spelling of another server. */
const refuseError = (event: JsonObject): undefined => {
  const isOfApi = textOf(event.type).startsWith('response.') && event.type !== 'response.error';
  const error = isOfApi ? undefined : errorIn(event);
  if (error !== undefined) throw reportedFailure(error, 'the server reported an error');
};

const toDelta = (kind: 'text' | 'reasoning' | 'rawReasoning', event: JsonObject): ModelEvent | undefined =>
  typeof event.delta === 'string' ? { kind, itemId: textOf(event.item_id), delta: event.delta } : undefined;

/** An item that a conversation cannot hold is named, so that it is not skipped silently. */
export const toItemEvent = ({ item }: JsonObject): ModelEvent => {
  if (!isObject(item)) return { kind: 'unknown', type: '(none)' };
  if (item.type === 'web_search_call') return { kind: 'search', callId: textOf(item.id), query: toQuery(item.action) };
  const read = toItem(item);
  return read === undefined
    ? { kind: 'unknown', type: typeof item.type === 'string' ? item.type : '(none)' }
    : { kind: 'item', item: read };
};

/** A search is announced when it begins. */
const toAddedEvent = ({ item }: JsonObject): ModelEvent | undefined =>
  isObject(item) && item.type === 'web_search_call' ? { kind: 'search', callId: textOf(item.id) } : undefined;

/** A page that was opened counts as a search for its address. */
const toQuery = (action: unknown): string => {
  const { query, url } = isObject(action) ? action : {};
  return [query, url].find((text) => typeof text === 'string') ?? '';
};

/** Some servers report any end as `response.completed`, and the actual outcome in the status. */
const NOT_WHOLE = new Set<unknown>(['failed', 'cancelled', 'incomplete']);

const toCompleted = ({ response }: JsonObject): ModelEvent | undefined => {
  const { id, status, usage } = toObject(response);
  if (NOT_WHOLE.has(status)) throw toFailure({ type: `response.${wordOf(status)}`, response });
  return isText(id) ? { kind: 'completed', responseId: id, usage: toResponsesUsage(usage) } : undefined;
};

const toFailure = (event: JsonObject): ModelError => {
  const response = isObject(event.response) ? event.response : {};
  if (event.type === 'response.incomplete') {
    const details = isObject(response.incomplete_details) ? response.incomplete_details : {};
    return incompleteFailure(details.reason);
  }
  const error = errorIn(response) ?? errorIn(event);
  return reportedFailure(
    error === event && wordsOf(event) === undefined ? {} : (error ?? {}),
    `${wordOf(event.type)} event received`,
  );
};

/** Reads an item of a Responses answer; undefined if a conversation here cannot hold it. */
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

const textOrNull = (value: unknown): string | null => (isText(value) ? value : null);

/** All parts or nothing: half a message would pass for the whole. */
const allOf = <T>(values: unknown, read: (value: JsonObject) => T | undefined): T[] | undefined => {
  if (!Array.isArray(values)) return undefined;
  const parts = values.map((value) => (isObject(value) ? read(value) : undefined));
  return parts.every((part) => part !== undefined) ? parts : undefined;
};

const toMessage = ({ id, role, content, phase }: JsonObject): ResponseItem | undefined => {
  const parts = allOf(content, toPart);
  return isText(role) && parts
    ? { type: 'message', id: textOrNull(id), role, content: parts, ...(isText(phase) && { phase }) }
    : undefined;
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
  const callId = call_id || id;
  return isText(name) && name !== '' && isText(args) && isText(callId)
    ? { type: 'function_call', id: textOrNull(id), name: toToolName(name), arguments: args, call_id: callId }
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
