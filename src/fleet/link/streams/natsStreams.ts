/** Streams of one connection: what is stored, and their limits. */
import type { PubAck, StreamConfig, StreamInfo } from '@nats-io/jetstream';
import { map, type Observable, of, switchMap } from 'rxjs';
import { NatsError } from '../../../io/nats/natsAddress';
import { callNats, type NatsOwn, toMsgHeaders, withoutJetStream } from '../natsConnection';
import type { NatsAppended, NatsLink, NatsStreamFacts, NatsStreamSpec } from '../natsLink';
import { consume, messageAt, orUndefined } from './natsConsumer';

const ACK_MS = 5_000;
const DUPLICATE_MS = 120_000;

/** The streams of a link. */
export const natsStreams = (own: NatsOwn) => {
  const { streams } = own.manager;
  const call = <T>(what: string, run: () => Promise<T>): Observable<T> =>
    callNats(own, { what, run, whySilent: withoutJetStream(own) });
  const findStream = (name: string): Observable<NatsStreamFacts | undefined> =>
    call(`the stream ${name}`, () => streams.info(name)).pipe(map(toFacts), orUndefined());
  return {
    append: append(own),
    consume: consume(own),
    findStream,
    lastOf: (stream, subject) => messageAt(own, stream, { last_by_subj: subject }),
    countMessages: (stream, subject) =>
      call(`the stream ${stream}`, () => streams.info(stream, { subjects_filter: subject })).pipe(
        map(({ state }) => state.subjects ?? {}),
      ),
    purge: ({ stream, subject }) =>
      call(`purging ${stream}`, () => streams.purge(stream, { filter: subject })).pipe(map(({ purged }) => purged)),
    remove: (stream, seq) => call(`removing from ${stream}`, () => streams.deleteMessage(stream, seq, false)),
    ensureStream: (spec) =>
      findStream(spec.name).pipe(
        switchMap((found) =>
          found === undefined
            ? call(`the stream ${spec.name}`, () => streams.add(toConfig(spec))).pipe(map(toFacts))
            : of(found),
        ),
      ),
  } satisfies Partial<NatsLink>;
};

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
  duplicate_window: Math.min(DUPLICATE_MS, spec.maxAgeMs || DUPLICATE_MS) * 1e6, // the server takes no longer one than messages live
  ...(spec.description === undefined ? {} : { description: spec.description }),
});

const toFacts = ({ config }: StreamInfo): NatsStreamFacts => ({ name: config.name, maxAgeMs: config.max_age / 1e6 });
