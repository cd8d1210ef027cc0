/** Decodes the events of a Responses stream. */
import { type OperatorFunction, takeWhile } from 'rxjs';
import { isObject, parseObject } from '../../../protocol/jsonrpc/json';
import { isModelDelta, type ModelDelta, type ModelEvent } from '../../../protocol/model/events';
import { gather } from '../../../streams/gather';
import { limitItems, streamFailure } from '../../modelHttp/failures';
import { readItems, readResponsesEvent } from './responsesEvent';

/**
 * Reads the data of events as ModelEvents; unknown events and invalid JSON are skipped. Emits ModelEvents, the deltas of one piece of text as one
 * `deltas`; completes right after `completed`; errors with ModelError when the server reports an error or the stream just ends.
 *   in  d-d-i-C---   (C response.completed; the server may stay)
 *   out d-d-i-(C|)
 * Source: Codex 0.28.0, cases mh04 to mh31; ending at response.completed, `response.incomplete` and `error`, items of the
 * whole response and its status, and messages that are never finished are ours.
 */
export const decodeResponses = (): OperatorFunction<readonly string[], ModelEvent> => (data$) =>
  data$.pipe(
    gather<readonly string[], ModelEvent>(() => {
      const read = closeMessages(readResponsesEvent);
      let items = 0; // of the answer so far
      return {
        next: (data, emit) => {
          items = emitEvents(data, { read, items, emit });
        },
        end: failUnfinished,
      };
    }),
    takeWhile((event) => event.kind !== 'completed', true),
  );

const failUnfinished = (): never => {
  throw streamFailure('stream closed before response.completed');
};

type Emitting = { read: typeof readResponsesEvent; items: number; emit: (event: ModelEvent) => void };

/** The events of one piece, and then the failure if the model reports one. Returns how many items the answer has had. */
const emitEvents = (data: readonly string[], { read, items, emit }: Emitting): number => {
  let count = items;
  let deltas: ModelDelta[] = [];
  const closeDeltas = () => {
    const closed = deltas;
    const [first] = closed;
    deltas = [];
    if (first) emit(closed.length > 1 ? { kind: 'deltas', deltas: closed } : first);
  };
  try {
    for (const datum of data) {
      const event = read(datum);
      if (event === undefined) continue;
      if (isModelDelta(event)) deltas.push(event);
      else {
        closeDeltas();
        if (event.kind === 'completed' && count === 0) readItems(datum).forEach(emit);
        if (event.kind !== 'completed') limitItems(++count);
        emit(event);
      }
    }
  } finally {
    closeDeltas();
  }
  return count;
};

/** Reads one piece of JSON text; undefined if it is not an event. */
type Read = (data: string) => ModelEvent | undefined;

type OpenMessage = {
  id: string;
  /** Its place in the answer. */
  index: number;
  text: string;
};

/**
 * Wraps `read` for the events of one stream, in order. If a call begins in the place of an open message, that message is emitted as its deltas
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

/** What an event reports of an item that begins. */
const toBegun = (data: string): Begun | undefined => {
  if (!data.includes('response.output_item.added')) return undefined;
  const { item, output_index: index } = parseObject(data) ?? {};
  const { type, id } = isObject(item) ? item : {};
  return typeof id === 'string' && typeof index === 'number' ? { type, id, index } : undefined;
};
