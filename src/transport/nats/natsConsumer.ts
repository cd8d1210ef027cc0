/** One ephemeral consumer of a stream. */
import type { ConsumerConfig, ConsumerInfo, JsMsg } from '@nats-io/jetstream';
import { concat, firstValueFrom, fromEvent, merge, Observable, of, switchMap } from 'rxjs';
import type { Backpressure } from '../../streams';
import { callNats, failWhenLost, type NatsOwn, toHeaders } from './natsConnection';
import type { NatsConsume, NatsConsumed, NatsStored } from './natsLink';
import { toNatsError } from './toNatsError';

const EXPIRES_MS = 10_000;
const HEARTBEAT_MS = 2_500;
/** What the server may send before it is asked for more. */
const AHEAD_BYTES = 4_194_304;
const INACTIVE_MS = 30_000;

/**
 * Emits the begin and then each message, in order; asks for no more while `backpressure` is full. Never completes. Errors with `absent` where the
 * stream is not there, with `timeout` when the consumer is lost, also with its connection: the server counts as delivered what it sent to one that
 * was cut. Unsubscribing removes the consumer.
 * The client's ordered consumer needs server 2.10, and its `consume` buffers without a limit; fetches of some megabytes do neither.
 */
export const consume =
  (own: NatsOwn) =>
  (wanted: NatsConsume): Observable<NatsConsumed> =>
    merge(pulled(own, wanted), failWhenLost(own, `reading ${wanted.stream}`));

/** Once there is a connection. */
const pulled = (own: NatsOwn, wanted: NatsConsume): Observable<NatsConsumed> =>
  callNats(own, { what: `reading ${wanted.stream}`, run: () => addConsumer(own, wanted) }).pipe(
    switchMap(([{ state }, info]) => {
      const { first_seq: firstSeq, last_seq: lastSeq } = state;
      const begin: NatsConsumed = { kind: 'begin', firstSeq, lastSeq, pending: info.num_pending };
      return concat(of(begin), messagesOf(own, info, wanted));
    }),
  );

const addConsumer = async ({ manager }: NatsOwn, wanted: NatsConsume) =>
  [await manager.streams.info(wanted.stream), await manager.consumers.add(wanted.stream, toConfig(wanted))] as const;

const messagesOf = (own: NatsOwn, info: ConsumerInfo, { backpressure }: NatsConsume): Observable<NatsStored> =>
  new Observable((subscriber) => {
    const stop = new AbortController();
    const emit = (message: JsMsg) => subscriber.next(toStored(message));
    const run = async () => {
      while (!stop.signal.aborted) await fetchSome(own, info, { emit, stop: stop.signal, backpressure });
    };
    run().catch((error) => subscriber.error(toNatsError(`reading ${info.stream_name}`, error)));
    return () => {
      stop.abort();
      removeConsumer(own, info);
    };
  });

const toConfig = ({ subject, from }: NatsConsume): Partial<ConsumerConfig> => ({
  ...{ filter_subject: subject, ack_policy: 'none', mem_storage: true, num_replicas: 1 },
  inactive_threshold: INACTIVE_MS * 1e6,
  ...(typeof from === 'number'
    ? { deliver_policy: 'by_start_sequence', opt_start_seq: Math.max(from, 1) }
    : { deliver_policy: from === 'new' ? 'new' : 'last_per_subject' }),
});

type Round = { emit: (message: JsMsg) => void; stop: AbortSignal; backpressure: Backpressure };

/** Takes what comes until some megabytes are there or the time is over. */
const fetchSome = async (own: NatsOwn, info: ConsumerInfo, { emit, stop, backpressure }: Round): Promise<void> => {
  const consumer = own.stream.consumers.getConsumerFromInfo(info);
  const maxBytes = Math.max(AHEAD_BYTES, 2 * own.maxPayload);
  const messages = await consumer.fetch({ max_bytes: maxBytes, expires: EXPIRES_MS, idle_heartbeat: HEARTBEAT_MS });
  const close = () => void messages.close();
  stop.addEventListener('abort', close);
  try {
    for await (const message of messages) {
      if (stop.aborted) return;
      emit(message);
      if (backpressure.isFull()) await drained(backpressure, stop);
    }
  } finally {
    stop.removeEventListener('abort', close);
    close();
  }
};

const drained = ({ drain$ }: Backpressure, stop: AbortSignal): Promise<unknown> =>
  firstValueFrom(merge(drain$, fromEvent(stop, 'abort')), { defaultValue: undefined });

/** The server removes it by itself when nobody pulls for a while. */
const removeConsumer = ({ connection, manager }: NatsOwn, { stream_name: stream, name }: ConsumerInfo): void => {
  if (!connection.isClosed() && !connection.isDraining()) manager.consumers.delete(stream, name).catch(() => false);
};

const toStored = (message: JsMsg): NatsStored => ({
  ...{ kind: 'message', seq: message.seq, subject: message.subject, data: message.data },
  ...{ headers: toHeaders(message.headers), atMs: message.time.getTime() },
  ...{ order: message.info.deliverySequence, pending: message.info.pending },
});
