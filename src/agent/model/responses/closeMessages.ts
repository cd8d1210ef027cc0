/** Finishes messages that a server leaves open. */
import { isObject } from '../../../protocol/jsonrpc/json';
import { parseObject } from '../../../protocol/jsonrpc/parseJson';
import type { ModelEvent } from '../../../protocol/model/events';

/** The event of one piece of JSON text; undefined for a text that is none. */
type Read = (data: string) => ModelEvent | undefined;

/** A message that has begun; `index` is its place in the answer. */
type OpenMessage = { id: string; index: number; text: string };

/**
 * Wraps `read` for the events of one stream, in order. Where a call begins in the place of an open message, that message is emitted as its deltas
 * have made it; its own end, should it come after all, is skipped.
 * Source: Ollama of 21 August 2026 ends no message before a call, and gives both the same `output_index`.
 */
export const closeMessages = (read: Read): Read => {
  let open: OpenMessage | undefined;
  let closedId: string | undefined;
  return (data) => {
    const event = read(data);
    if (event?.kind === 'text' && event.itemId === open?.id) open.text += event.delta;
    if (event?.kind === 'item' && event.item.type === 'message') {
      if (event.item.id === open?.id) open = undefined;
      return event.item.id && event.item.id === closedId ? undefined : event;
    }
    const begun = event === undefined ? toBegun(data) : undefined;
    if (begun?.type === 'message') open = { id: begun.id, index: begun.index, text: '' };
    if (begun?.type !== 'function_call' || begun.index !== open?.index || open.text === '') return event;
    const { id, text } = open;
    [closedId, open] = [id, undefined];
    return { kind: 'item', item: { type: 'message', id, role: 'assistant', content: [{ type: 'output_text', text }] } };
  };
};

type Begun = { type: unknown; id: string; index: number };

/** What an event says of an item that begins. */
const toBegun = (data: string): Begun | undefined => {
  if (!data.includes('response.output_item.added')) return undefined;
  const { item, output_index: index } = parseObject(data) ?? {};
  const { type, id } = isObject(item) ? item : {};
  return typeof id === 'string' && typeof index === 'number' ? { type, id, index } : undefined;
};
