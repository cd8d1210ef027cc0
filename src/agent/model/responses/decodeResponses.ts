/** Decodes the events of a Responses stream. */
import { type OperatorFunction, takeWhile } from 'rxjs';
import { type JsonObject, parseObject, toObject } from '../../../protocol/jsonrpc/json';
import { isModelDelta, type ModelDelta, type ModelEvent } from '../../../protocol/model/events';
import { gather } from '../../../streams/gather';
import { closedFailure, limitItems } from '../../modelHttp/failures';
import { lastWordsIn, wordsOf } from '../../modelHttp/serverError';
import { openItems } from './openItems';
import { readResponsesEvent } from './responsesEvent';

/**
 * Reads the data of events as ModelEvents; unknown events and invalid JSON are skipped.
 * @param newId for calls that come without one
 * Emits ModelEvents, the deltas of one piece of text as one
 * `deltas`; completes right after `completed`; errors with ModelError when the server reports an error or the stream just ends.
 *   in  d-d-i-C---   (C response.completed; the server may stay)
 *   out d-d-i-(C|)
 * Source: Codex 0.28.0, cases mh04 to mh31; ending at response.completed, `response.incomplete` and `error`, items of the
 * whole response and its status, and items that are never finished are ours.
 */
export const decodeResponses =
  ({ newId }: { newId: () => string }): OperatorFunction<readonly string[], ModelEvent> =>
  (data$) =>
    data$.pipe(
      gather<readonly string[], ModelEvent>(() => {
        const answer = readAnswer(newId);
        return {
          next: (data, emit) => emitEvents(data, answer.read, emit),
          end: () => {
            throw closedFailure('response.completed', answer.words());
          },
        };
      }),
      takeWhile((event) => event.kind !== 'completed', true),
    );

/** Reads one piece of JSON text as the events that it makes. */
type Read = (data: string) => readonly ModelEvent[];

/** The events of one piece, and then the failure if the model reports one. */
const emitEvents = (data: readonly string[], read: Read, emit: (event: ModelEvent) => void): void => {
  let deltas: ModelDelta[] = [];
  const closeDeltas = () => {
    const closed = deltas;
    const [first] = closed;
    deltas = [];
    if (first) emit(closed.length > 1 ? { kind: 'deltas', deltas: closed } : first);
  };
  try {
    for (const datum of data)
      for (const event of read(datum)) {
        if (isModelDelta(event)) deltas.push(event);
        else {
          closeDeltas();
          emit(event);
        }
      }
  } finally {
    closeDeltas();
  }
};

type Answer = {
  read: Read;
  /** What the server wrote last that is no part of an answer. */
  words: () => string | undefined;
};

/** Reads one answer, in order. Its items are counted. An item that no event ends is emitted before the end of the answer. */
const readAnswer = (newId: () => string): Answer => {
  const items = openItems(newId);
  let words: string | undefined;
  let count = 0; // of the items so far
  let hasThought = false;
  const counted = (events: readonly ModelEvent[]): readonly ModelEvent[] => {
    count += events.length;
    limitItems(count);
    return events;
  };
  const readEvent = (given: JsonObject): readonly ModelEvent[] => {
    const event = given.type === DONE ? { ...given, item: items.end(given) } : given;
    if (event.type === DONE && event.item === undefined) return [];
    const closed = counted(items.add(event));
    const found = readResponsesEvent(event);
    words = found === undefined ? (wordsIn(event) ?? words) : words;
    if (found === undefined) return closed;
    hasThought ||= found.kind === 'reasoning' || found.kind === 'rawReasoning';
    if (isModelDelta(found)) return [found];
    if (found.kind !== 'completed') return [...closed, ...counted([found])];
    return [...counted(items.rest(event.response)), ...(count === 0 && hasThought ? [NOTHING] : []), found];
  };
  const read: Read = (data) => {
    const event = eventIn(data);
    if (event !== undefined) return readEvent(event);
    words = lastWordsIn(data) ?? words;
    return [];
  };
  return { read, words: () => words };
};

/** Some servers send a whole response instead of events. */
const eventIn = (data: string): JsonObject | undefined => {
  const event = parseObject(data);
  const isResponse = event?.type === undefined && Array.isArray(event?.output);
  return isResponse ? { type: 'response.completed', response: event } : event;
};

const DONE = 'response.output_item.done';

const wordsIn = (event: JsonObject): string | undefined =>
  wordsOf(toObject(toObject(event.response).error)) ?? wordsOf(event);

/** Thoughts alone are no answer. */
const NOTHING: ModelEvent = { kind: 'nothing' };
