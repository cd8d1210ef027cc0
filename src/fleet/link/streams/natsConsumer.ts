/** One ephemeral consumer of a stream. */
import type { ConsumerConfig, ConsumerInfo } from '@nats-io/jetstream';
import { catchError, concat, finalize, merge, type Observable, of, switchMap, throwError } from 'rxjs';
import { isNatsFailure } from '../../../io/nats/natsAddress';
import { callNats, failWhenLost, type NatsOwn, withoutJetStream } from '../natsConnection';
import type { NatsConsume, NatsConsumed, NatsStored } from '../natsLink';
import { getMessages } from './getMessages';
import { messageAt } from './messageAt';
import { pullMessages } from './pullMessages';

const INACTIVE_MS = 30_000;

/**
 * Emits the begin and then each message, in order; asks for no more while `backpressure` is full. Never completes. Errors with `absent` where the
 * stream is not there, with `timeout` when the consumer is lost, also with its connection: the server counts as delivered what it sent to one that
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

/** Without a consumer. */
const got = (own: NatsOwn, { stream, subject, from, backpressure }: FromSeq): Observable<NatsConsumed> =>
  callNats(own, { what: `reading ${stream}`, run: () => own.manager.streams.info(stream) }).pipe(
    switchMap(({ state: { first_seq: firstSeq, last_seq: lastSeq } }) =>
      getMessages(
        { next: (seq) => messageAt(own, stream, { seq, next_by_subj: subject }), backpressure },
        { from: Math.max(from, 1), firstSeq, lastSeq },
      ),
    ),
  );

/** Once there is a connection. */
const pulled = (own: NatsOwn, wanted: NatsConsume): Observable<NatsConsumed> =>
  callNats(own, {
    what: `reading ${wanted.stream}`,
    run: () => addConsumer(own, wanted),
    whySilent: withoutJetStream(own),
  }).pipe(
    switchMap(([{ state }, info]) => {
      const { first_seq: firstSeq, last_seq: lastSeq } = state;
      const begin: NatsConsumed = { kind: 'begin', firstSeq, lastSeq, pending: info.num_pending };
      return concat(of(begin), messagesOf(own, info, wanted));
    }),
  );

const addConsumer = async ({ manager }: NatsOwn, wanted: NatsConsume) =>
  [await manager.streams.info(wanted.stream), await manager.consumers.add(wanted.stream, toConfig(wanted))] as const;

const messagesOf = (own: NatsOwn, info: ConsumerInfo, { backpressure }: NatsConsume): Observable<NatsStored> =>
  pullMessages(own, info, backpressure).pipe(finalize(() => removeConsumer(own, info)));

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
