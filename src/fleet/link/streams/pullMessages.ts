/**
 * The messages of a consumer, pulled in rounds of some megabytes. Written here, as `fetch` of @nats-io/jetstream 3.4 waits in vain after the hundredth message
 * where it is limited by bytes, and `consume` buffers without a limit.
 */
import type { ConsumerInfo } from '@nats-io/jetstream';
import type { Msg } from '@nats-io/transport-node';
import { map, Observable } from 'rxjs';
import { NatsError } from '../../../io/nats/natsAddress';
import type { Backpressure } from '../../../streams/backpressure';
import { type NatsOwn, ownBytes, toHeaders } from '../natsConnection';
import type { NatsStored } from '../natsLink';
import { toNatsError } from '../toNatsError';
import { type Amount, type Pulled, readRounds } from './readRounds';

const EXPIRES_MS = 10_000;
const HEARTBEAT_MS = 2_500;
/** At most about two rounds are on their way. */
const ROUND = { messages: 5_000, bytes: 2_097_152 };

/**
 * Emits each message as it comes, and asks for no more while `backpressure` is full. Never completes; errors with `timeout` when the
 * consumer is lost.
 */
export const pullMessages = (own: NatsOwn, info: ConsumerInfo, backpressure: Backpressure): Observable<NatsStored> => {
  const inbox = own.packages.core.createInbox(own.inbox);
  return fromInbox(own, inbox, info).pipe(
    map((message) => toPulled(message, inbox, info)),
    readRounds({
      ask: ask(own, info, inbox),
      round: { ...ROUND, bytes: Math.max(ROUND.bytes, 2 * own.maxPayload) },
      beatMs: HEARTBEAT_MS,
      backpressure,
      lost: () => lost(info, 'it is silent'),
    }),
  );
};

const fromInbox = ({ connection, received }: NatsOwn, inbox: string, info: ConsumerInfo): Observable<Msg> =>
  new Observable((subscriber) => {
    const subscription = connection.subscribe(inbox, {
      callback: (error, message) => {
        if (error === null) return subscriber.next(message);
        received.add(error);
        subscriber.error(toNatsError(`reading ${info.stream_name}`, error));
      },
    });
    return () => subscription.unsubscribe();
  });

const ask =
  ({ connection, stream }: NatsOwn, info: ConsumerInfo, reply: string) =>
  ({ messages, bytes }: Amount): void => {
    const wanted = { batch: messages, max_bytes: bytes, expires: EXPIRES_MS * 1e6, idle_heartbeat: HEARTBEAT_MS * 1e6 };
    const subject = `${stream.apiPrefix}.CONSUMER.MSG.NEXT.${info.stream_name}.${info.name}`;
    if (!connection.isClosed()) connection.publish(subject, JSON.stringify(wanted), { reply });
  };

const HEARTBEAT = 100;
/** Statuses that end a round: no messages, or the time is over; and texts, where its bytes do not suffice for the next message. Source: nats-server 2.9.10. */
const ENDS = [404, 408];
const NO_ROOM = /exceeds max|batch completed/i;

/** A status comes on the inbox itself; a stored message has its own subject, and may have any headers. Throws for a status that ends the consumer. */
const toPulled = (message: Msg, inbox: string, info: ConsumerInfo): Pulled => {
  if (message.subject !== inbox) return { kind: 'message', size: sizeOf(message), stored: toStored(message) };
  const { code = 0, description = '' } = message.headers ?? {};
  if (code === HEARTBEAT) return { kind: 'alive' };
  if (ENDS.includes(code) || NO_ROOM.test(description)) return { kind: 'over', left: leftOf(message) };
  throw lost(info, description);
};

/**
 * How much a message takes of the bytes of a request. The client has this method and does not declare it.
 * Source: nats-server 2.9.10, consumer.go; @nats-io/nats-core 3.4, msg.js.
 */
const sizeOf = (message: Msg): number => (message as Msg & { size: () => number }).size();

/** All that was open, where the server does not say. */
const leftOf = ({ headers }: Msg): Amount => ({
  messages: Number(headers?.get('Nats-Pending-Messages') || Number.POSITIVE_INFINITY),
  bytes: Number(headers?.get('Nats-Pending-Bytes') || Number.POSITIVE_INFINITY),
});

const lost = ({ stream_name: stream }: ConsumerInfo, why: string): NatsError =>
  new NatsError('timeout', `reading ${stream}: the consumer is lost: ${why}`);

/** The subject that a message could be acknowledged to says where it stands. */
const toStored = ({ subject, data, headers, reply = '' }: Msg): NatsStored => {
  const tokens = reply.split('.');
  const [seq = 0, order = 0, atNs = 0, pending = 0] = tokens.slice(tokens.length === 9 ? 5 : 7).map(Number);
  return {
    kind: 'message',
    seq,
    subject,
    data: ownBytes(data),
    headers: toHeaders(headers),
    atMs: Math.floor(atNs / 1e6),
    order,
    pending,
  };
};
