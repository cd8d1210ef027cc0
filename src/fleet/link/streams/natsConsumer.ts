/** One ephemeral consumer of a stream. */
import type { ConsumerConfig, ConsumerInfo, MsgRequest, StoredMsg } from '@nats-io/jetstream';
import {
  catchError,
  concat,
  defaultIfEmpty,
  defer,
  expand,
  filter,
  finalize,
  map,
  merge,
  type Observable,
  of,
  skip,
  switchMap,
  take,
  throwError,
  timer,
} from 'rxjs';
import { isNatsFailure, NatsError } from '../../../io/nats/natsAddress';
import type { Backpressure } from '../../../streams/backpressure';
import { callNats, failWhenLost, type NatsOwn, toHeaders, withoutJetStream } from '../natsConnection';
import type { NatsConsume, NatsConsumed, NatsStored } from '../natsLink';
import { pullMessages } from './pullMessages';

const INACTIVE_MS = 30_000;

/**
 * Emits the begin and then each message, in order; asks for no more while `backpressure` is full. Never completes. Errors with `absent` if the
 * stream is not there, with `timeout` when the consumer is lost, also with its connection: the server counts as delivered what it sent to a consumer that
 * was cut. Unsubscribing removes the consumer. A login that may have none reads message by message.
 * The client's ordered consumer needs server 2.10.
 */
export const consume =
  (own: NatsOwn) =>
  (wanted: NatsConsume): Observable<NatsConsumed> => {
    const read$ = pulled(own, wanted).pipe(
      catchError((error) => (mayHaveNone(error, wanted) ? got(own, wanted) : throwError(() => error))),
    );
    return merge(read$, failWhenLost(own, `reading ${wanted.stream}`));
  };

type FromSeq = NatsConsume & { from: number };

/** True for a login that may only read, such as one of another account. The last message of each subject cannot be read without a consumer. */
const mayHaveNone = (error: unknown, wanted: NatsConsume): wanted is FromSeq =>
  isNatsFailure(error, 'refused', 'noResponder') && typeof wanted.from === 'number';

const got = (own: NatsOwn, { stream, subject, from, backpressure }: FromSeq): Observable<NatsConsumed> =>
  callNats(own, { what: `reading ${stream}`, run: () => own.manager.streams.info(stream) }).pipe(
    switchMap(({ state: { last_seq: lastSeq } }) =>
      getMessages(
        { next: (seq) => messageAt(own, stream, { seq, next_by_subj: subject }), backpressure },
        { from: Math.max(from, 1), lastSeq },
      ),
    ),
  );

const pulled = (own: NatsOwn, wanted: NatsConsume): Observable<NatsConsumed> =>
  callNats(own, {
    what: `reading ${wanted.stream}`,
    run: () => addConsumer(own, wanted),
    whySilent: withoutJetStream(own),
  }).pipe(
    switchMap(([{ state }, info]) => {
      const begin: NatsConsumed = { kind: 'begin', lastSeq: state.last_seq, pending: info.num_pending };
      const message$ = pullMessages(own, info, wanted.backpressure).pipe(finalize(() => removeConsumer(own, info)));
      return concat(of(begin), message$);
    }),
  );

const addConsumer = async ({ manager }: NatsOwn, wanted: NatsConsume) =>
  [await manager.streams.info(wanted.stream), await manager.consumers.add(wanted.stream, toConfig(wanted))] as const;

const toConfig = ({ subject, from }: NatsConsume): Partial<ConsumerConfig> => ({
  filter_subject: subject,
  ack_policy: 'none',
  mem_storage: true,
  num_replicas: 1,
  inactive_threshold: INACTIVE_MS * 1e6,
  ...(typeof from === 'number'
    ? { deliver_policy: 'by_start_sequence', opt_start_seq: Math.max(from, 1) }
    : { deliver_policy: 'last_per_subject' }),
});

/** The server removes it by itself when nobody pulls for a while. */
const removeConsumer = ({ connection, manager }: NatsOwn, { stream_name: stream, name }: ConsumerInfo): void => {
  if (!connection.isClosed() && !connection.isDraining()) manager.consumers.delete(stream, name).catch(() => false);
};

/** `next` emits the first message of the subject at this sequence or after it, undefined if there is none yet, and completes. */
type GetMessagesDeps = {
  next: (seq: number) => Observable<NatsStored | undefined>;
  backpressure: Backpressure;
};

type GetBegin = { from: number; lastSeq: number };

/** How long it waits for the next message, and how often in a row until a consumer is tried again. */
const WAIT_MS = 500;
const MAX_WAITS = 60;

type Step = {
  /** Emitted with this step. */
  message?: NatsStored;
  /** The message after it. */
  next: NatsStored | undefined;
  /** Sequence at which the next step asks. */
  seq: number;
  order: number;
  waits: number;
};

/**
 * Emits the begin and then each message, in order, as a consumer does; `pending` is 1 if another follows. Polls twice a second for new ones. Never
 * completes; errors with `next`, and with `timeout` after half a minute without a message, so that the next reader tries a consumer again.
 *   next  -a-b-.    500ms -c   (. none)
 *   out   -b--a--b  500ms ---c
 */
export const getMessages = (deps: GetMessagesDeps, begin: GetBegin): Observable<NatsConsumed> =>
  deps.next(begin.from).pipe(
    map((next): Step => ({ next, seq: begin.from, order: 0, waits: 0 })),
    switchMap((first) =>
      concat(
        of<NatsConsumed>({ kind: 'begin', lastSeq: begin.lastSeq, pending: pendingOf(first) }),
        of(first).pipe(
          expand((step) => after(deps, step), 1),
          skip(1),
          map(toMessage),
          filter((message) => message !== undefined),
        ),
      ),
    ),
  );

const pendingOf = ({ next }: Step): number => (next === undefined ? 0 : 1);

const toMessage = (step: Step): NatsStored | undefined =>
  step.message && { ...step.message, order: step.order, pending: pendingOf(step) };

/** The next message is emitted once it is known whether another follows. */
const after = ({ next, backpressure }: GetMessagesDeps, step: Step): Observable<Step> => {
  const { next: message, order } = step;
  if (message === undefined) return waited(next, step);
  const seq = message.seq + 1;
  return drained(backpressure).pipe(
    switchMap(() => next(seq)),
    map((found) => ({ message, next: found, seq, order: order + 1, waits: 0 })),
  );
};

const waited = (next: GetMessagesDeps['next'], { seq, order, waits }: Step): Observable<Step> =>
  waits === MAX_WAITS
    ? throwError(() => new NatsError('timeout', 'reading message by message: a consumer is tried again'))
    : timer(WAIT_MS).pipe(
        switchMap(() => next(seq)),
        map((found) => ({ next: found, seq, order, waits: waits + 1 })),
      );

const drained = ({ isFull, drain$ }: Backpressure): Observable<unknown> =>
  defer(() => (isFull() ? drain$.pipe(take(1), defaultIfEmpty(undefined)) : of(undefined)));

/** The last of a subject, or its first at a sequence or after it. */
type MessageQuery = { last_by_subj: string } | { seq: number; next_by_subj: string };

/** Emits it, undefined if there is none, and completes. It is asked of the leader of the stream. */
export const messageAt = (own: NatsOwn, stream: string, query: MessageQuery): Observable<NatsStored | undefined> => {
  const run = () => own.manager.streams.getMessage(stream, query as MsgRequest);
  return callNats(own, { what: `reading ${stream}`, run, whySilent: withoutJetStream(own) }).pipe(
    map((message) => (message === null ? undefined : toStored(message))),
    orUndefined(),
  );
};

/** What is absent is undefined. */
export const orUndefined = <T>() =>
  catchError<T | undefined, Observable<undefined>>((error) =>
    isNatsFailure(error, 'absent') ? of(undefined) : throwError(() => error),
  );

const toStored = ({ seq, subject, data, header, time }: StoredMsg): NatsStored => ({
  kind: 'message',
  seq,
  subject,
  data,
  headers: toHeaders(header),
  atMs: time.getTime(),
  order: 1,
  pending: 0,
});
