/** Stores the events of one process in a stream: in order, each once, several in one message where they come fast. */
import {
  concat,
  connect,
  defer,
  EMPTY,
  ignoreElements,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  Subject,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import type { PlacedEvent, StoredEvent } from '../../executor';
import { inBatches } from '../../streams';
import type { NatsAppend } from '../../transport/nats';
import { NOTHING } from './busMessage';
import { EVENTS_HEADER, encodeEvents } from './eventMessage';
import { placeEvents, toBatch } from './placeEvents';

/** A message for the stream; a second one with its `id` counts as the first. */
export type EventMessage = Pick<NatsAppend, 'subject' | 'data' | 'more'> & {
  headers: Record<string, string>;
  id: string;
};

/** The stream has all events through `throughSeq` of the process; `seq` is its own number of the last message. */
export type Stored = { throughSeq: number; bytes: number; seq: number };

/**
 * @param append emits the stream's number of the message once that is stored, however long it takes; it does not error
 * @param messageBytes how much output a message has before no more is added to it
 */
export type StoreDeps = {
  subject: string;
  append: (message: EventMessage) => Observable<{ seq: number }>;
  messageBytes: number;
};

const EVENT_BYTES = 16;
/**
 * From this size on output counts as bulk, and more of it is gathered for a moment: messages cost the server and both ends more than
 * bytes do. A full message is not delayed.
 */
const BULK_BYTES = 4_096;
const GATHER_MS = 3;

/**
 * Sends one message after another; events that come meanwhile are the next one, so the order of the stream is that of `seq` whatever fails and is sent
 * again. Behind a message of bulk output some more is gathered, until the next one is full. Completes when all is stored.
 *   in         abc-----|
 *   append(a)  ---s
 *   append(bc)    ---t
 *   out        ---s--t-|
 */
export const storeEvents =
  ({ subject, append, messageBytes }: StoreDeps): OperatorFunction<StoredEvent, Stored> =>
  (event$) =>
    defer(() => {
      let waiting = 0; // bytes of output behind the message that is sent; changes in place, for each event
      const full$ = new Subject<void>(); // the wire from events to the message that is gathered
      const gather$ = defer(() => (waiting >= messageBytes ? EMPTY : full$.pipe(take(1), takeUntil(timer(GATHER_MS)))));
      const count = tap<PlacedEvent>(({ event }) => {
        waiting += bytesOf(event);
        if (waiting >= messageBytes) full$.next();
      });
      const send = inBatches<PlacedEvent, Stored>({ sizeOf: eventBytes, limit: messageBytes }, (batch) => {
        const bytes = sizeOf(batch);
        waiting -= bytes;
        const stored$ = append(toMessage(subject, batch)).pipe(map(({ seq }) => toStored(batch, seq)));
        return bytes >= BULK_BYTES && bytes < messageBytes ? concat(stored$, gather$.pipe(ignoreElements())) : stored$;
      });
      return event$.pipe(
        placeEvents(),
        connect((placed$) => merge(placed$.pipe(send), placed$.pipe(count, ignoreElements()))), // counted once it is in a message
      );
    });

const eventBytes = ({ event }: PlacedEvent): number => EVENT_BYTES + bytesOf(event);

const sizeOf = (batch: readonly PlacedEvent[]): number => batch.reduce((sum, { event }) => sum + bytesOf(event), 0);

/** The bytes of output in an event. */
export const bytesOf = (event: StoredEvent): number => (event.kind === 'output' ? event.chunk.length : 0);

const toMessage = (subject: string, batch: readonly PlacedEvent[]): EventMessage => {
  const { header, pieces } = encodeEvents(toBatch(batch));
  const [data = NOTHING, ...more] = pieces;
  return { subject, data, more, headers: { [EVENTS_HEADER]: header }, id: `${subject}:${batch[0]?.event.seq}` };
};

const toStored = (batch: readonly PlacedEvent[], seq: number): Stored => ({
  throughSeq: batch.at(-1)?.event.seq ?? 0,
  bytes: sizeOf(batch),
  seq,
});
