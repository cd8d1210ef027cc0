/** What the edges of one connection share, and its messages without a store: requests, responses and subjects that are served. */
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { catchError, EMPTY, from, map, Observable, switchMap, tap, throwError } from 'rxjs';
import { isPassing, NatsError } from '../../io/nats/natsAddress';
import { mapMulti } from '../../streams/gather';
import { inputFirst } from '../../streams/time/limits';
import type { NatsDelivery, NatsHeaders, NatsLink, NatsMessage, NatsState } from './natsLink';
import type { NatsPackages } from './natsPackages';
import { NO_JETSTREAM, toNatsError } from './toNatsError';

export type NatsOwn = {
  connection: NatsConnection;
  stream: JetStreamClient;
  manager: JetStreamManager;
  packages: NatsPackages;
  readonly maxPayload: number;
  prefix: string;
  /** Begins the subjects of responses. */
  inbox: string;
  state$: Observable<NatsState>;
  /** Errors that a caller has received. */
  received: ReceivedErrors;
};

const LIMIT_MS = 5_000;

type Call<T> = {
  what: string;
  run: () => Promise<T>;
  limitMs?: number;
  /** Explains a call without a response, if the reason is known. */
  whySilent?: () => string | undefined;
};

/**
 * Calls the packages as soon as there is a connection; emits the result and completes. Errors with a `NatsError`: `timeout` if the
 * connection is lost meanwhile, or none is there in time. A result after unsubscribing is dropped.
 * An Observable by hand, as each request is one call.
 */
export const callNats = <T>(own: Pick<NatsOwn, 'state$' | 'received'>, call: Call<T>): Observable<T> =>
  new Observable((subscriber) => {
    const { what, run, limitMs = LIMIT_MS, whySilent = () => undefined } = call;
    let isCalled = false;
    const failed = toFailure(own, what, whySilent);
    const fail = (error: unknown) => subscriber.error(failed(error));
    const begin = () => {
      isCalled = true;
      run().then((value) => {
        subscriber.next(value);
        subscriber.complete();
      }, fail);
    };
    const follow = ({ kind }: NatsState) => {
      if (kind === 'connected' && !isCalled)
        begin(); // what is sent without a connection is dropped by the client when it dials
      else if (kind === 'reconnecting' && isCalled) fail(connectionLost(what));
    };
    subscriber.add(inputFirst.schedule(() => fail(late(what)), limitMs));
    subscriber.add(own.state$.subscribe({ next: follow, error: fail }));
  });

const toFailure =
  ({ received }: Pick<NatsOwn, 'received'>, what: string, whySilent: () => string | undefined) =>
  (error: unknown): NatsError => {
    received.add(error);
    return explained(toNatsError(what, error), what, whySilent);
  };

const late = (what: string): NatsError => new NatsError('timeout', `${what}: no response in time`);

const connectionLost = (what: string): NatsError => new NatsError('timeout', `${what}: the connection was lost`);

const explained = (error: NatsError, what: string, whySilent: () => string | undefined): NatsError => {
  const reason = isPassing(error) ? whySilent() : undefined;
  return reason === undefined ? error : new NatsError(error.kind, `${what}: ${reason}`);
};

/** Why JetStream gave no response, if the connected server has no JetStream; another server of its cluster may have it. */
export const withoutJetStream =
  ({ connection }: Pick<NatsOwn, 'connection'>) =>
  (): string | undefined =>
    connection.info === undefined || connection.info.jetstream
      ? undefined
      : `${connection.getServer()} ${NO_JETSTREAM}`;

/** Errors with `timeout` when the connection is lost, as a response would come too late. Emits nothing. */
export const failWhenLost = ({ state$ }: Pick<NatsOwn, 'state$'>, what: string): Observable<never> =>
  state$.pipe(
    mapMulti(({ kind }) => {
      if (kind === 'reconnecting') throw connectionLost(what);
    }),
  );

/** A copy of the bytes of a message: those of the client are part of a buffer with all that was read with them. */
export const ownBytes = (data: Uint8Array): Uint8Array => new Uint8Array(data);

/** The headers of a message, one value for each name. */
export const toHeaders = (headers: MsgHdrs | undefined): NatsHeaders => {
  const made: Record<string, string> = {};
  for (const name of headers?.keys() ?? []) made[name] = headers?.get(name) ?? '';
  return made;
};

/** Undefined if there are none, so that the message is sent without headers. */
export const toMsgHeaders = ({ core }: NatsPackages, headers: NatsHeaders = {}): MsgHdrs | undefined => {
  const names = Object.keys(headers);
  if (names.length === 0) return undefined;
  const made = core.headers();
  for (const name of names) made.set(name, headers[name] ?? '');
  return made;
};

/** Errors of one connection that a caller has received. `add` takes an error with its causes; `has` is true for each of them. */
export type ReceivedErrors = { add: (error: unknown) => void; has: (error: Error) => boolean };

/** A weak set, which is changed in place by each error. */
export const receivedErrors = (): ReceivedErrors => {
  const received = new WeakSet<object>();
  const add = (error: unknown): void => {
    if (typeof error !== 'object' || error === null || received.has(error)) return;
    received.add(error);
    add((error as { cause?: unknown }).cause);
  };
  return { add, has: (error) => received.has(error) };
};

/** The messages of a link: requests, publishes, subscriptions. */
export const natsMessages = (own: NatsOwn): Pick<NatsLink, 'request' | 'requestAll' | 'publish' | 'subscribe'> => ({
  request: ({ subject, data, headers, timeoutMs }) => {
    const options = { timeout: timeoutMs, ...withHeaders(own, headers) };
    const run = () => own.connection.request(subject, data, options);
    return callNats(own, { what: `request to ${subject}`, run, limitMs: timeoutMs }).pipe(map(toMessage));
  },
  requestAll: ({ subject, data, headers, timeoutMs }) => {
    const options = { strategy: 'timer' as const, maxWait: timeoutMs, ...withHeaders(own, headers) };
    const run = () => own.connection.requestMany(subject, data, options);
    return callNats(own, { what: `request to ${subject}`, run, limitMs: timeoutMs }).pipe(
      switchMap((message$) => from(message$)),
      map(toMessage),
      tap({ error: own.received.add }),
      catchError((thrown) => {
        const error = toNatsError(`request to ${subject}`, thrown);
        return error.kind === 'noResponder' ? EMPTY : throwError(() => error);
      }),
    );
  },
  publish: ({ subject, data, headers }) => own.connection.publish(subject, data, withHeaders(own, headers)),
  subscribe: ({ subject }) =>
    messagesOn(own, subject, `subscription to ${subject}`).pipe(map((message) => toDelivery(own, message))),
});

/** Emits the messages of a subject until it is unsubscribed; errors if the server denies it, with `what` was denied. */
export const messagesOn = ({ connection, received }: NatsOwn, subject: string, what: string): Observable<Msg> =>
  new Observable((subscriber) => {
    const subscription = connection.subscribe(subject, {
      callback: (error, message) => {
        received.add(error);
        if (error) subscriber.error(toNatsError(what, error));
        else subscriber.next(message);
      },
    });
    return () => subscription.unsubscribe();
  });

const withHeaders = ({ packages }: NatsOwn, headers: NatsMessage['headers']) => {
  const made = toMsgHeaders(packages, headers);
  return made === undefined ? {} : { headers: made };
};

const toMessage = ({ subject, data, headers }: Msg): Required<NatsMessage> => ({
  subject,
  data: ownBytes(data),
  headers: toHeaders(headers),
});

const toDelivery = (own: NatsOwn, message: Msg): NatsDelivery => ({
  ...toMessage(message),
  respond: (data, headers) => {
    if (!own.connection.isClosed() && isInbox(own, message.reply)) message.respond(data, withHeaders(own, headers));
  },
});

/** After the prefix, these begin the subjects of what is stored or carried out. */
const OURS = ['tapes', 'threads', 'exec', 'events', 'pool', 'client'];

/**
 * The sender of a request chooses the subject of the response, and the response is published with our rights. So it may neither be a
 * subject of the server (`$…`), which could purge a stream, nor one of ours, which writes tapes and threads and calls executors.
 */
const isInbox = ({ prefix }: NatsOwn, reply = ''): boolean =>
  !reply.startsWith('$') && !OURS.some((name) => reply.startsWith(`${prefix}.${name}.`));
