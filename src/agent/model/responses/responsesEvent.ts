/** Reads single events of the Responses API. */
import { isObject, type JsonObject, parseObject } from '../../../protocol/jsonrpc/json';
import type { ModelEvent } from '../../../protocol/model/events';
import type { ModelError } from '../../../protocol/model/model';
import { incompleteFailure, reportedFailure } from '../../modelHttp/failures';
import { limitItems } from '../../modelHttp/limitItems';
import { toResponsesUsage } from '../../modelHttp/usage';
import { toItem } from './toItem';

/** The items of the whole response, from the data of its last event, for servers that send no event per item. Throws ModelError for too many. */
export const readItems = (data: string): ModelEvent[] => {
  const { response } = parseObject(data) ?? {};
  const output = isObject(response) && Array.isArray(response.output) ? response.output : [];
  limitItems(output.length);
  return output.flatMap((item) => toItemEvent({ item }) ?? []);
};

/** The event of one piece of data; undefined for an unknown event and for invalid JSON. Throws ModelError where the server reports an error. */
export const readResponsesEvent = (data: string): ModelEvent | undefined => {
  const event = parseObject(data);
  switch (event?.type) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return toDelta('text', event);
    case 'response.reasoning_summary_text.delta':
      return toDelta('reasoning', event);
    case 'response.reasoning_text.delta':
      return toDelta('rawReasoning', event);
    case 'response.reasoning_summary_part.added':
      return { kind: 'reasoningBreak', itemId: toItemId(event) };
    case 'response.output_item.added':
      return toAddedEvent(event);
    case 'response.output_item.done':
      return toItemEvent(event);
    case 'response.completed':
      return toCompleted(event);
    case 'response.failed':
    case 'response.cancelled':
    case 'response.incomplete':
    case 'error':
      throw toFailure(event);
    default:
      return undefined;
  }
};

const toItemId = ({ item_id }: JsonObject): string => (typeof item_id === 'string' ? item_id : '');

const toDelta = (kind: 'text' | 'reasoning' | 'rawReasoning', event: JsonObject): ModelEvent | undefined =>
  typeof event.delta === 'string' ? { kind, itemId: toItemId(event), delta: event.delta } : undefined;

/** An item that a conversation cannot hold is named, so that it is not skipped silently. */
const toItemEvent = ({ item }: JsonObject): ModelEvent | undefined => {
  if (!isObject(item)) return { kind: 'unknown', type: '(none)' };
  if (item.type === 'web_search_call') return { kind: 'search', callId: toId(item), query: toQuery(item.action) };
  const read = toItem(item);
  return read === undefined
    ? { kind: 'unknown', type: typeof item.type === 'string' ? item.type : '(none)' }
    : { kind: 'item', item: read };
};

/** A search is announced when it begins. */
const toAddedEvent = ({ item }: JsonObject): ModelEvent | undefined =>
  isObject(item) && item.type === 'web_search_call' ? { kind: 'search', callId: toId(item) } : undefined;

const toId = ({ id }: JsonObject): string => (typeof id === 'string' ? id : '');

/** A page that was opened counts as a search for its address. */
const toQuery = (action: unknown): string => {
  const { query, url } = isObject(action) ? action : {};
  return [query, url].find((text) => typeof text === 'string') ?? '';
};

/** Some servers report any end as `response.completed`, and the actual outcome in the status. */
const NOT_WHOLE = new Set<unknown>(['failed', 'cancelled', 'incomplete']);

const toCompleted = ({ response }: JsonObject): ModelEvent | undefined => {
  if (!isObject(response)) return undefined;
  if (NOT_WHOLE.has(response.status)) throw toFailure({ type: `response.${response.status}`, response });
  return typeof response.id === 'string'
    ? { kind: 'completed', responseId: response.id, usage: toResponsesUsage(response.usage) }
    : undefined;
};

const toFailure = (event: JsonObject): ModelError => {
  const response = isObject(event.response) ? event.response : {};
  if (event.type === 'response.incomplete') {
    const details = isObject(response.incomplete_details) ? response.incomplete_details : {};
    return incompleteFailure(details.reason);
  }
  const error = [response.error, event.error, event].find(isObject) ?? {};
  return reportedFailure(error, `${event.type} event received`);
};
