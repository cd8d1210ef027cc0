/**
 * The messages of a consumer, pulled in rounds of some megabytes. Written here, as `fetch` of @nats-io/jetstream 3.4 waits in vain after the hundredth message
 * if it is limited by bytes, and `consume` buffers without a limit.
 */
import type { ConsumerInfo } from '@nats-io/jetstream';
import type { Msg } from '@nats-io/transport-node';
import { interval, map, merge, type Observable, type OperatorFunction, of } from 'rxjs';
import { NatsError } from '../../../io/nats/natsAddress';
import type { Backpressure } from '../../../streams/backpressure';
import { mapAccum } from '../../../streams/gather';
import { messagesOn, type NatsOwn, ownBytes, toHeaders } from '../natsConnection';
import type { NatsStored } from '../natsLink';

const EXPIRES_MS = 10_000;
const HEARTBEAT_MS = 2_500;
/** At most about two rounds are on their way. */
const ROUND = { messages: 5_000, bytes: 2_097_152 };

/** Emits each message as it comes, and asks for no more while `backpressure` is full. Never completes; errors with `timeout` when the consumer is lost. */
export const pullMessages = (own: NatsOwn, info: ConsumerInfo, backpressure: Backpressure): Observable<NatsStored> => {
  const inbox = own.packages.core.createInbox(own.inbox);
  return messagesOn(own, inbox, `reading ${info.stream_name}`).pipe(
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

const ask =
  ({ connection, stream }: NatsOwn, info: ConsumerInfo, reply: string) =>
  ({ messages, bytes }: Amount): void => {
    const wanted = { batch: messages, max_bytes: bytes, expires: EXPIRES_MS * 1e6, idle_heartbeat: HEARTBEAT_MS * 1e6 };
    const subject = `${stream.apiPrefix}.CONSUMER.MSG.NEXT.${info.stream_name}.${info.name}`;
    if (!connection.isClosed()) connection.publish(subject, JSON.stringify(wanted), { reply });
  };

const HEARTBEAT = 100;
/** Statuses that end a round: no messages, or the time is over; and texts, if its bytes do not suffice for the next message. Source: nats-server 2.9.10. */
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

/** What a message takes of the bytes of a request; the client does not declare it. Source: nats-server 2.9.10; @nats-io/nats-core 3.4, msg.js. */
const sizeOf = (message: Msg): number => (message as Msg & { size: () => number }).size();

/** All that was open, if the server does not say. */
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

type Amount = { messages: number; bytes: number };

/** What a consumer sends. */
export type Pulled =
  | { kind: 'message'; size: number; stored: NatsStored }
  /** A request for messages ends, with `left` of it unused. */
  | { kind: 'over'; left: Amount }
  /** A heartbeat, sent while a request is open and there are no messages. */
  | { kind: 'alive' };

type RoundsDeps = {
  /** Sends a request for one `round`. */
  ask: (round: Amount) => void;
  round: Amount;
  /** How often the server sends a heartbeat. */
  beatMs: number;
  backpressure: Backpressure;
  /** The error of a silent consumer. */
  lost: () => Error;
};

type State = {
  /** What was requested and has not come. */
  open: Amount;
  /** How many heartbeats were due since anything came. */
  beats: number;
};

const NOTHING: Amount = { messages: 0, bytes: 0 };
const MAX_BEATS = 3;

/**
 * Emits the messages. Asks for the next round while one is still open, so that the server never waits for us. While `backpressure`
 * is full, a message asks for nothing. Never completes; errors when a request is open and nothing came for three heartbeats.
 *   pulled   --a-b-c-d-e     (a round is 2)
 *   ask      (rr)--r---r
 *   out      --A-B-C-D-E
 */
export const readRounds =
  ({ ask, round, beatMs, backpressure, lost }: RoundsDeps): OperatorFunction<Pulled, NatsStored> =>
  (pulled$) => {
    const askAgain = (open: Amount): Amount => {
      if (!isLow(open, round)) return open;
      ask(round);
      return askAgain(plus(open, round));
    };
    const step = ({ open, beats }: State, item: Item): { state: State; output?: NatsStored } => {
      if (item.kind === 'beat') {
        if (open.messages > 0 && beats >= MAX_BEATS) throw lost();
        return { state: { open, beats: beats + 1 } };
      }
      const mayAsk = item.kind === 'begin' || item.kind === 'drained' || !backpressure.isFull();
      const left = minus(open, taken(item));
      const state = { open: mayAsk ? askAgain(left) : left, beats: 0 };
      return item.kind === 'message' ? { state, output: item.stored } : { state };
    };
    return merge(pulled$, turns(beatMs, backpressure)).pipe(mapAccum(step, { open: NOTHING, beats: 0 }));
  };

type Turn = { kind: 'begin' } | { kind: 'drained' } | { kind: 'beat' };
type Item = Pulled | Turn;

const turns = (beatMs: number, { drain$ }: Backpressure): Observable<Turn> =>
  merge(
    of<Turn>({ kind: 'begin' }),
    drain$.pipe(map((): Turn => ({ kind: 'drained' }))),
    interval(beatMs).pipe(map((): Turn => ({ kind: 'beat' }))),
  );

const taken = (item: Item): Amount => {
  if (item.kind === 'over') return item.left;
  return item.kind === 'message' ? { messages: 1, bytes: item.size } : NOTHING;
};

const isLow = (open: Amount, round: Amount): boolean => open.messages <= round.messages || open.bytes <= round.bytes;

const plus = (open: Amount, round: Amount): Amount => ({
  messages: open.messages + round.messages,
  bytes: open.bytes + round.bytes,
});

/** A round that had all its messages has no bytes left, though the server does not say so. */
const minus = (open: Amount, { messages, bytes }: Amount): Amount =>
  open.messages <= messages ? NOTHING : { messages: open.messages - messages, bytes: Math.max(0, open.bytes - bytes) };
