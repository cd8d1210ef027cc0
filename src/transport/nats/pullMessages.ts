/**
 * The messages of a consumer, pulled in rounds of some megabytes. Written here, as `fetch` of @nats-io/jetstream 3.4 waits in vain behind the hundredth message
 * where it is limited by bytes, and `consume` buffers without a limit.
 */
import type { ConsumerInfo } from '@nats-io/jetstream';
import type { Msg } from '@nats-io/transport-node';
import { firstValueFrom, fromEvent, merge, Observable } from 'rxjs';
import type { Backpressure } from '../../streams';
import { type NatsOwn, toHeaders } from './natsConnection';
import { NatsError } from './natsError';
import type { NatsStored } from './natsLink';
import { toNatsError } from './toNatsError';

const EXPIRES_MS = 10_000;
const HEARTBEAT_MS = 2_500;
/** A consumer of which nothing was received for so long is lost; the server sends a heartbeat where it has nothing else. */
const SILENCE_MS = 3 * HEARTBEAT_MS;
/** What the server may send before it is asked for more. */
const AHEAD_BYTES = 4_194_304;
const AHEAD_MESSAGES = 10_000;

/** Emits each message as it comes, and pulls no more while `backpressure` is full. Never completes; errors with `timeout` when the consumer is lost. */
export const pullMessages = (own: NatsOwn, info: ConsumerInfo, backpressure: Backpressure): Observable<NatsStored> =>
  new Observable((subscriber) => {
    const stop = new AbortController();
    const inbox = own.packages.core.createInbox(own.inbox);
    const received = own.connection.subscribe(inbox);
    const watch = silenceWatch(() => subscriber.error(lost(info, 'it is silent')));
    const run = async () => {
      let left = pull(own, info, inbox);
      for await (const message of received) {
        watch.reset();
        if (message.subject !== inbox) {
          left -= 1;
          subscriber.next(toStored(message));
        } else if (isRoundOver(message, info)) left = 0;
        if (left === 0) left = pull(own, info, inbox);
        if (!backpressure.isFull()) continue;
        watch.stop();
        await drained(backpressure, stop.signal);
        watch.reset();
      }
    };
    run().catch((error) => subscriber.error(toNatsError(`reading ${info.stream_name}`, error)));
    return () => {
      stop.abort();
      watch.stop();
      received.unsubscribe();
    };
  });

/** Asks for the next round, and says how many messages it has at most. */
const pull = ({ connection, stream, maxPayload }: NatsOwn, info: ConsumerInfo, reply: string): number => {
  const maxBytes = Math.max(AHEAD_BYTES, 2 * maxPayload);
  const round = {
    batch: AHEAD_MESSAGES,
    max_bytes: maxBytes,
    expires: EXPIRES_MS * 1e6,
    idle_heartbeat: HEARTBEAT_MS * 1e6,
  };
  const subject = `${stream.apiPrefix}.CONSUMER.MSG.NEXT.${info.stream_name}.${info.name}`;
  connection.publish(subject, JSON.stringify(round), { reply });
  return AHEAD_MESSAGES;
};

const HEARTBEAT = 100;
/** No messages, the time is over; and a round whose bytes do not suffice for the next message. Source: nats-server 2.9.10. */
const ENDS = [404, 408];
const NO_ROOM = /exceeds max|batch completed/i;

/** Whether a status message ends the round; a heartbeat does not. It comes on the inbox itself; a stored message has its own subject, and may have any headers. Throws where it ends the consumer. */
const isRoundOver = ({ headers }: Msg, info: ConsumerInfo): boolean => {
  const { code = 0, description = '' } = headers ?? {};
  if (code === HEARTBEAT) return false;
  if (ENDS.includes(code) || NO_ROOM.test(description)) return true;
  throw lost(info, description);
};

const lost = ({ stream_name: stream }: ConsumerInfo, why: string): NatsError =>
  new NatsError('timeout', `reading ${stream}: the consumer is lost: ${why}`);

/** Calls `silent` when it was not reset for a while. */
const silenceWatch = (silent: () => void) => {
  let timer = setTimeout(silent, SILENCE_MS);
  const stop = () => clearTimeout(timer);
  const reset = () => {
    stop();
    timer = setTimeout(silent, SILENCE_MS);
  };
  return { stop, reset };
};

const drained = ({ drain$ }: Backpressure, stop: AbortSignal): Promise<unknown> =>
  firstValueFrom(merge(drain$, fromEvent(stop, 'abort')), { defaultValue: undefined });

/** The subject that a message could be acknowledged to says where it stands. */
const toStored = ({ subject, data, headers, reply = '' }: Msg): NatsStored => {
  const tokens = reply.split('.');
  const [seq = 0, order = 0, atNs = 0, pending = 0] = tokens.slice(tokens.length === 9 ? 5 : 7).map(Number);
  return {
    kind: 'message',
    seq,
    subject,
    data,
    headers: toHeaders(headers),
    atMs: Math.floor(atNs / 1e6),
    order,
    pending,
  };
};
