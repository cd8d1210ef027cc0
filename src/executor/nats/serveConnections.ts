/** The connections of an executor's clients behind NATS: each is a stream of messages on a subject of its own. */
import {
  catchError,
  debounceTime,
  filter,
  finalize,
  type GroupedObservable,
  groupBy,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  skip,
  tap,
} from 'rxjs';
import { type ExecSessions, execServer } from '../../executor';
import type { Log } from '../../log';
import { decodeExecRequest, encodeExecMessage } from '../../protocol/exec';
import { noBackpressure } from '../../streams';
import { isPlainName } from '../../text';
import { lastToken, type NatsDelivery, type NatsLink } from '../../transport/nats';
import { kindHeader, kindOf, NOTHING } from './busMessage';
import { joinParts, type MessagePart, partBytes, toParts } from './messageParts';
import { execSubjects } from './subjects';

/** @param maxConnections at once; @param maxMessageBytes of a client's message */
export type ServeConnectionsDeps = {
  link: NatsLink;
  sessions: ExecSessions;
  maxConnections: number;
  maxMessageBytes: number;
  log: Log;
};

/** A connection of which nothing was received for so long is lost; clients ask every 1.5 s. */
const SILENCE_MS = 6_000;
/** How long a client may take to answer whether it is there. */
const ANSWER_MS = 1_000;

/**
 * Serves each connection from its `begin` to its `end`, or until its client is silent; its session then waits for a client as ever. The events of processes are not sent: they are in
 * the stream. Emits nothing.
 */
export const serveConnections =
  (deps: ServeConnectionsDeps): OperatorFunction<NatsDelivery, never> =>
  (delivery$) => {
    const known = new Set<string>(); // the connections that are open
    return delivery$.pipe(
      filter((delivery) => admit(delivery, known, deps.maxConnections)),
      groupBy(connectionOf, { duration: silence(deps.link) }),
      mergeMap((own$) => serveOne(deps, own$).pipe(finalize(() => known.delete(own$.key)))),
    );
  };

const connectionOf = ({ subject }: NatsDelivery): string => lastToken(subject);

/** Whether it belongs to a connection that is open, or opens one, under a name as executors have. Whoever asks for another one learns that it is not known. */
const admit = (delivery: NatsDelivery, known: Set<string>, maxConnections: number): boolean => {
  const kind = kindOf(delivery.headers);
  const connection = connectionOf(delivery);
  if (kind === 'begin' && known.size < maxConnections && isPlainName(connection)) known.add(connection);
  const isKnown = known.has(connection);
  if (kind === 'ping') delivery.respond(NOTHING, isKnown ? {} : kindHeader('unknown'));
  return isKnown;
};

/** Emits when the client has ended the connection, or is silent, or when messages of it may be lost with our own connection. */
const silence =
  (link: NatsLink) =>
  (own$: GroupedObservable<string, NatsDelivery>): Observable<unknown> =>
    merge(
      own$.pipe(filter(({ headers }) => kindOf(headers) === 'end')),
      own$.pipe(debounceTime(SILENCE_MS)),
      link.state$.pipe(skip(1)),
    );

const serveOne = (deps: ServeConnectionsDeps, own$: GroupedObservable<string, NatsDelivery>): Observable<never> => {
  const { link, sessions, maxMessageBytes, log } = deps;
  const client = execSubjects(link.prefix).client(own$.key);
  return own$.pipe(
    filter(({ headers }) => ['begin', 'more', 'last'].includes(kindOf(headers))),
    map(({ data, headers }): MessagePart => ({ data, isLast: kindOf(headers) !== 'more' })),
    joinParts(maxMessageBytes),
    map(decodeExecRequest),
    execServer({
      sessions,
      backpressure: noBackpressure,
      isAlive: () => isAlive(link, client),
      source: 'JSON-RPC message from exec-server NATS client',
      log,
    }),
    filter((item) => item.kind !== 'ended'),
    tap((message) => {
      for (const { data, isLast } of toParts(encodeExecMessage(message), partBytes(link)))
        link.publish({ subject: client, data, headers: kindHeader(isLast ? 'last' : 'more') });
    }),
    ignoreElements(),
  );
};

const isAlive = (link: NatsLink, client: string): Observable<boolean> =>
  link.request({ subject: client, data: NOTHING, headers: kindHeader('ping'), timeoutMs: ANSWER_MS }).pipe(
    map(() => true),
    catchError(() => of(false)),
  );
