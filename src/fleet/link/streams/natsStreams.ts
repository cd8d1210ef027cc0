/** Streams of one connection: what is stored, and their limits. */
import type { PubAck, StreamConfig, StreamInfo } from '@nats-io/jetstream';
import { map, type Observable, of, switchMap } from 'rxjs';
import { NatsError } from '../../../io/nats/natsAddress';
import { callNats, type NatsOwn, toMsgHeaders, withoutJetStream } from '../natsConnection';
import type { NatsAppended, NatsLink, NatsStreamFacts, NatsStreamSpec } from '../natsLink';
import { messageAt, orUndefined } from './messageAt';
import { consume } from './natsConsumer';

type Streams = Pick<
  NatsLink,
  | 'append'
  | 'consume'
  | 'lastOf'
  | 'ensureStream'
  | 'findStream'
  | 'countMessages'
  | 'purge'
  | 'remove'
  | 'removeBefore'
>;

const ACK_MS = 5_000;
const DUPLICATE_MS = 120_000;

/** The streams of a link. */
export const natsStreams = (own: NatsOwn): Streams => ({
  append: append(own),
  ...messagesOf(own),
  ...limitsOf(own),
});

type Messages = 'consume' | 'lastOf' | 'countMessages' | 'purge' | 'remove' | 'removeBefore';

const messagesOf = (own: NatsOwn): Pick<Streams, Messages> => ({
  consume: consume(own),
  lastOf: (stream, subject) => messageAt(own, stream, { last_by_subj: subject }),
  countMessages: (stream, subject) =>
    call(own, `the stream ${stream}`, () => own.manager.streams.info(stream, { subjects_filter: subject })).pipe(
      map(({ state }) => state.subjects ?? {}),
    ),
  purge: ({ stream, subject, throughSeq }) => {
    const options = { filter: subject, ...(throughSeq !== undefined && { seq: throughSeq + 1 }) };
    return call(own, `purging ${stream}`, () => own.manager.streams.purge(stream, options)).pipe(
      map(({ purged }) => purged),
    );
  },
  removeBefore: ({ stream, from, before }) =>
    call(own, `the stream ${stream}`, () => own.manager.streams.info(stream)).pipe(
      switchMap(({ state }) =>
        state.first_seq < from
          ? of(false)
          : call(own, `purging ${stream}`, () => own.manager.streams.purge(stream, { seq: before })).pipe(
              map(() => true),
            ),
      ),
    ),
  remove: (stream, seq) =>
    call(own, `removing from ${stream}`, () => own.manager.streams.deleteMessage(stream, seq, false)),
});

const limitsOf = (own: NatsOwn): Omit<Streams, Messages | 'append'> => ({
  ensureStream: (spec) =>
    findStream(own, spec.name).pipe(
      switchMap((found) =>
        found === undefined
          ? call(own, `the stream ${spec.name}`, () => own.manager.streams.add(toConfig(spec))).pipe(map(toFacts))
          : of(found),
      ),
    ),
  findStream: (name) => findStream(own, name),
});

const append =
  (own: NatsOwn): NatsLink['append'] =>
  ({ subject, data, more = [], headers, id, expectSubjectSeq, timeoutMs: limitMs = ACK_MS }) => {
    const made = toMsgHeaders(own.packages, headers);
    const options = {
      timeout: limitMs,
      ...(made !== undefined && { headers: made }),
      ...(id !== undefined && { msgID: id }),
      ...(expectSubjectSeq !== undefined && { expect: { lastSubjectSequence: expectSubjectSeq } }),
    };
    const payload = more.length === 0 ? data : Buffer.concat([data, ...more]);
    const run = () => own.stream.publish(subject, payload, options);
    return callNats(own, { what: `writing to ${subject}`, run, limitMs, whySilent: withoutJetStream(own) }).pipe(
      map(toAppended),
    );
  };

/** The client takes any text as an acknowledgement. */
const toAppended = ({ stream, seq, duplicate }: PubAck): NatsAppended => {
  if (!stream || typeof seq !== 'number') throw new NatsError('failed', 'the acknowledgement names no stream');
  return { seq, isDuplicate: duplicate === true };
};

const call = <T>(own: NatsOwn, what: string, run: () => Promise<T>): Observable<T> =>
  callNats(own, { what, run, whySilent: withoutJetStream(own) });

const findStream = (own: NatsOwn, name: string): Observable<NatsStreamFacts | undefined> =>
  call(own, `the stream ${name}`, () => own.manager.streams.info(name)).pipe(map(toFacts), orUndefined());

const toConfig = (spec: NatsStreamSpec): Partial<StreamConfig> & { name: string } => ({
  name: spec.name,
  subjects: [...spec.subjects],
  num_replicas: spec.replicas,
  discard: spec.discard,
  storage: 'file',
  retention: 'limits',
  allow_direct: true,
  max_bytes: spec.maxBytes === 0 ? -1 : spec.maxBytes,
  max_age: spec.maxAgeMs * 1e6,
  duplicate_window: duplicateMs(spec) * 1e6,
  ...(spec.description === undefined ? {} : { description: spec.description }),
});

/** The server takes no window that is longer than messages live. */
const duplicateMs = ({ duplicateMs: wanted = DUPLICATE_MS, maxAgeMs }: NatsStreamSpec): number =>
  maxAgeMs === 0 ? wanted : Math.min(wanted, maxAgeMs);

const toFacts = ({ config }: StreamInfo): NatsStreamFacts => ({ name: config.name, maxAgeMs: config.max_age / 1e6 });
