/** Stores the events of one process in a stream: in order, each once, several in one message if they come fast. */
import {
  catchError,
  concat,
  connect,
  defer,
  EMPTY,
  ignoreElements,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  retry,
  Subject,
  take,
  takeUntil,
  tap,
  throwError,
  timer,
} from 'rxjs';
import type { PlacedEvent, StoredEvent } from '../../executor/backend';
import { isNatsFailure, NatsError } from '../../io/nats/natsAddress';
import type { Log } from '../../protocol/log';
import { inBatches } from '../../streams/batches';
import { muted } from '../../streams/ends';
import { NOTHING } from '../executor/busMessages';
import { EVENTS_HEADER, encodeEvents, placeEvents, toBatch } from '../executor/eventMessage';
import { type ExecSubjects, execSubjects } from '../executor/subjects';
import type { NatsAppend, NatsLink, NatsStreamFacts } from '../link/natsLink';
import { waitBefore } from '../operators/retryPassing';

/** A message for the stream; a second one with its `id` counts as the first. `isOneEvent`: it cannot be split. */
export type EventMessage = Pick<NatsAppend, 'subject' | 'data' | 'more'> & {
  headers: Record<string, string>;
  id: string;
  isOneEvent: boolean;
};

/** The stream has all events of the process through `throughSeq`. */
export type Stored = {
  throughSeq: number;
  bytes: number;
  /** Sequence of the last message. */
  seq: number;
};

export type StoreDeps = {
  subject: string;
  /** Emits the sequence of the message once it is stored, however long that takes. Errors only with `large`, if the message has several events. */
  append: (message: EventMessage) => Observable<{ seq: number }>;
  /** How much output a message has before no more is added to it. */
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
 * Sends one message after another; events that come meanwhile form the next one, so the stream keeps the order of `seq` even if a message is sent again.
 * After a message of bulk output some more is gathered, until the next one is full or has the close. Completes when all is stored.
 *   in         abc-----|
 *   append(a)  ---s
 *   append(bc)    ---t
 *   out        ---s--t-|
 */
export const storeEvents =
  ({ subject, append, messageBytes }: StoreDeps): OperatorFunction<StoredEvent, Stored> =>
  (event$) =>
    defer(() => {
      let waiting = 0; // bytes of output behind the message being sent; changes in place, with each event
      const full$ = new Subject<void>(); // the wire from events to the message that is gathered
      const gather$ = defer(() => (waiting >= messageBytes ? EMPTY : full$.pipe(take(1), takeUntil(timer(GATHER_MS)))));
      const count = tap<PlacedEvent>(({ event }) => {
        waiting += event.kind === 'closed' ? messageBytes : bytesOf(event); // nothing comes behind the close
        if (waiting >= messageBytes) full$.next();
      });
      const send = inBatches<PlacedEvent, Stored>(
        { sizeOf: ({ event }) => EVENT_BYTES + bytesOf(event), limit: messageBytes },
        (batch) => {
          const bytes = sizeOf(batch);
          waiting -= bytes;
          const stored$ = storeBatch({ subject, append }, batch);
          return bytes >= BULK_BYTES && bytes < messageBytes
            ? concat(stored$, gather$.pipe(ignoreElements()))
            : stored$;
        },
      );
      return event$.pipe(
        placeEvents(),
        connect((placed$) => merge(placed$.pipe(send), placed$.pipe(count, ignoreElements()))), // counted once it is in a message
      );
    });

/** Stored as two messages if a restarted server takes smaller ones than before; a reader drops events that it has already. */
const storeBatch = (deps: Pick<StoreDeps, 'subject' | 'append'>, batch: readonly PlacedEvent[]): Observable<Stored> =>
  deps.append(toMessage(deps.subject, batch)).pipe(
    map(({ seq }) => toStored(batch, seq)),
    catchError((error) => {
      if (!isNatsFailure(error, 'large')) throw error;
      const half = Math.ceil(batch.length / 2);
      return concat(
        storeBatch(deps, batch.slice(0, half)),
        defer(() => storeBatch(deps, batch.slice(half))),
      );
    }),
  );

const sizeOf = (batch: readonly PlacedEvent[]): number => batch.reduce((sum, { event }) => sum + bytesOf(event), 0);

/** The bytes of output in an event. */
export const bytesOf = (event: StoredEvent): number => (event.kind === 'output' ? event.chunk.length : 0);

const toMessage = (subject: string, batch: readonly PlacedEvent[]): EventMessage => {
  const { header, pieces } = encodeEvents(toBatch(batch));
  const [data = NOTHING, ...more] = pieces;
  const headers = { [EVENTS_HEADER]: header };
  return { subject, data, more, headers, id: `${subject}:${batch[0]?.event.seq}`, isOneEvent: batch.length === 1 };
};

const toStored = (batch: readonly PlacedEvent[], seq: number): Stored => ({
  throughSeq: batch.at(-1)?.event.seq ?? 0,
  bytes: sizeOf(batch),
  seq,
});

type AppendDeps = {
  link: Pick<NatsLink, 'append'>;
  /** Removes what is not needed from a full stream. */
  makeRoom: () => Observable<unknown>;
  /** Makes the stream if it is gone. */
  makeStream: () => Observable<unknown>;
  log: Log;
};

/**
 * Emits when the stream has the message. After a failure it is sent again with the same id, so the stream has it once; a full stream is
 * given room first, a missing one is made. A timeout may mean a missing stream: if a reader is subscribed to the subject, no server
 * reports that no stream takes the message. Errors only with `large` if a message has several events.
 *   link  --#--------A     (# full, A stored)
 *   out   -----------A
 */
export const appendForever =
  ({ link, makeRoom, makeStream, log }: AppendDeps) =>
  (message: EventMessage): Observable<{ seq: number }> =>
    link.append(message).pipe(
      retry({
        delay: (error: unknown, attempt) => {
          if (isNatsFailure(error, 'large') && !message.isOneEvent) throw error;
          if (attempt === 1) log('warning', 'output waits for the stream', { reason: (error as Error).message });
          return concat(remedy({ makeRoom, makeStream }, error).pipe(muted()), waitBefore(attempt)); // a failed remedy is tried again
        },
      }),
    );

const remedy = ({ makeRoom, makeStream }: Pick<AppendDeps, 'makeRoom' | 'makeStream'>, error: unknown) => {
  if (isNatsFailure(error, 'full')) return makeRoom();
  return isNatsFailure(error, 'noResponder', 'absent', 'timeout') ? makeStream() : EMPTY;
};

/** The limits of a stream that codex-rx makes. */
export type StreamLimits = {
  /** On each of its servers. */
  maxBytes: number;
  /** How long unread events are kept. */
  maxAgeMs: number;
  /** Number of servers that hold it. */
  replicas: number;
};

type StreamLink = Pick<NatsLink, 'ensureStream' | 'append' | 'prefix'>;

/** A message that expects this sequence before it is never stored; the conflict proves that a stream takes its subject. */
const NEVER_STORED = Number.MAX_SAFE_INTEGER;

/**
 * Emits once when the stream is there, and makes it if there is none. A stream that the operator made is not changed. Looking for it
 * needs only the right to publish events: a probe message conflicts if a stream takes it. Errors with cause and remedy.
 */
export const ownStream = (link: StreamLink, name: string, limits: StreamLimits): Observable<unknown> => {
  const subjects = execSubjects(link.prefix);
  const probe = { subject: subjects.events(name, 'none', 'none'), data: NOTHING, expectSubjectSeq: NEVER_STORED };
  const made$ = defer(() => link.ensureStream({ ...specOf(subjects, name), ...limits, discard: 'new' })).pipe(
    catchError((error) => throwError(() => (isNatsFailure(error, 'refused') ? absent(subjects, name) : error))),
  );
  return link.append(probe).pipe(catchError((error) => (isNatsFailure(error, 'conflict') ? of('there') : made$)));
};

/** Makes the stream for an executor that may only publish: the oldest events are evicted. An existing stream stays. Emits what it is. */
export const operatorStream = (
  link: Pick<NatsLink, 'ensureStream' | 'prefix'>,
  name: string,
  limits: StreamLimits,
): Observable<NatsStreamFacts> =>
  link.ensureStream({ ...specOf(execSubjects(link.prefix), name), ...limits, discard: 'old' });

const specOf = (subjects: ExecSubjects, name: string) => ({
  name: subjects.stream(name),
  subjects: [subjects.eventsOfAll(name)],
  description: `Events of processes on the executor ${name} of codex-rx`,
});

const absent = (subjects: ExecSubjects, name: string): NatsError =>
  new NatsError(
    'absent',
    `no stream takes ${subjects.eventsOfAll(name)}, and this login may not make ${subjects.stream(name)}: let the operator make it with codex-rx exec-server --make-stream; if it is there, see that the accounts of the server export and import these subjects (docs/fleet.md)`,
  );
