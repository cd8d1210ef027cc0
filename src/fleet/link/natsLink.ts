/** The port of a connection to NATS: the rest of the program speaks to a server only through it. */
import type { Observable } from 'rxjs';
import type { Backpressure } from '../../streams/backpressure';

/** Headers of a message, one value for each name. */
export type NatsHeaders = Readonly<Record<string, string>>;

/** A message that is not stored, and delivered at most once. */
export type NatsMessage = { subject: string; data: Uint8Array; headers?: NatsHeaders };

/** `connected` to that server, `reconnecting` after a loss; the Observable of the link errors when it is lost for good. */
export type NatsState = { kind: 'connected'; server: string } | { kind: 'reconnecting' };

type NatsRequest = NatsMessage & { timeoutMs: number };

/** A message received for a subject that is served. `respond` may be called more than once; without a requester it does nothing. */
export type NatsDelivery = Required<NatsMessage> & { respond: (data: Uint8Array, headers?: NatsHeaders) => void };

/** A message for a stream. */
export type NatsAppend = NatsMessage & {
  /** Follows `data`: pieces of a long payload, which are not joined. */
  more?: readonly Uint8Array[];
  /** A second message with the same `id`, within two minutes, counts as the first. */
  id?: string;
  /** Sequence of the last message of that subject, 0 for none; another sequence is a `conflict`. */
  expectSubjectSeq?: number;
  timeoutMs?: number;
};

export type NatsAppended = {
  /** Sequence of the message in the stream. */
  seq: number;
  /** True if it was stored before. */
  isDuplicate: boolean;
};

/** One consumer: from a sequence on, or from the last message of each subject. */
export type NatsConsume = {
  stream: string;
  subject: string;
  from: number | 'lastOfEach';
  backpressure: Backpressure;
};

/** A stored message. */
export type NatsStored = {
  kind: 'message';
  seq: number;
  subject: string;
  data: Uint8Array;
  headers: NatsHeaders;
  atMs: number;
  /** Counts 1, 2, 3 from the begin of the consumer. */
  order: number;
  /** How many messages follow. */
  pending: number;
};

/** The begin of a consumer: the last sequence of the stream, of any subject, and how many messages of ours follow. */
export type NatsConsumed = NatsStored | { kind: 'begin'; lastSeq: number; pending: number };

/** Limits of a stream; 0 is none. When it is full, `new` refuses new messages, `old` evicts the oldest. */
export type NatsStreamSpec = {
  name: string;
  subjects: readonly string[];
  maxBytes: number;
  maxAgeMs: number;
  discard: 'new' | 'old';
  replicas: number;
  description?: string;
};

/** What its operator may have set; 0 is no limit. */
export type NatsStreamFacts = Pick<NatsStreamSpec, 'name' | 'maxAgeMs'>;

export type NatsBucketSpec = { name: string; maxBytes: number; maxAgeMs: number; replicas: number };

export type NatsEntry = {
  key: string;
  /** Undefined if the key was removed. */
  data: Uint8Array | undefined;
  /** What an update expects. */
  revision: number;
  atMs: number;
};

/** A bucket of keys and values. Each method emits once and completes; another write in between is the error `conflict`. */
export type NatsBucket = {
  get: (key: string) => Observable<NatsEntry | undefined>;
  create: (key: string, data: Uint8Array) => Observable<number>;
  update: (key: string, data: Uint8Array, revision: number) => Observable<number>;
  remove: (key: string, revision: number) => Observable<void>;
};

/** An open connection. Every Observable is cold, and errors with a `NatsError`. `publish` and `respond` are sent at most once. */
export type NatsLink = {
  /** The address, for people. */
  address: string;
  /** Begins every subject, stream and bucket of ours. */
  prefix: string;
  /** How many bytes a message may have for the server that is connected now. */
  readonly maxPayload: number;
  /** The state now, and each that follows. */
  state$: Observable<NatsState>;
  request: (request: NatsRequest) => Observable<NatsMessage>;
  /** Emits every response that comes within `timeoutMs`, then completes; it completes without one if nobody serves the subject. */
  requestAll: (request: NatsRequest) => Observable<NatsMessage>;
  publish: (message: NatsMessage) => void;
  /** Until it is unsubscribed; errors if the server denies the subject. */
  subscribe: (subscription: { subject: string }) => Observable<NatsDelivery>;
  append: (message: NatsAppend) => Observable<NatsAppended>;
  /** Errors with `timeout` when the consumer is lost; `readStream` makes the next one. */
  consume: (consume: NatsConsume) => Observable<NatsConsumed>;
  /** The last message of a subject, or undefined. */
  lastOf: (stream: string, subject: string) => Observable<NatsStored | undefined>;
  /** Makes the stream; an existing stream stays as its operator has set it. */
  ensureStream: (spec: NatsStreamSpec) => Observable<NatsStreamFacts>;
  /** Undefined if there is none. */
  findStream: (name: string) => Observable<NatsStreamFacts | undefined>;
  /** How many messages a stream has of each subject that matches this one. */
  countMessages: (stream: string, subject: string) => Observable<Readonly<Record<string, number>>>;
  /**
   * Removes the messages of a subject; emits how many. Consumers of other subjects in this stream may skip messages that they have not read yet, so it is
   * for subjects that are removed as a whole. Source: nats-server 2.9.10.
   */
  purge: (purge: { stream: string; subject: string }) => Observable<number>;
  /** Removes one message by its number; what reads the stream goes on at the next one. Emits whether it was there. */
  remove: (stream: string, seq: number) => Observable<boolean>;
  ensureBucket: (spec: NatsBucketSpec) => Observable<NatsBucket>;
};
