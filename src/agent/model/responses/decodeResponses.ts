/** Decodes the events of a Responses stream. */
import { type OperatorFunction, takeWhile } from 'rxjs';
import { isModelDelta, type ModelDelta, type ModelEvent } from '../../../protocol/model/events';
import { gather } from '../../../streams/gather';
import { streamFailure } from '../../modelHttp/failures';
import { limitItems } from '../../modelHttp/limitItems';
import { closeMessages } from './closeMessages';
import { readRepeated } from './readRepeated';
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
      const read = closeMessages(readRepeated(readResponsesEvent));
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

/** The events of one piece, and then the failure where the model reports one. Returns how many items the answer has had. */
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
