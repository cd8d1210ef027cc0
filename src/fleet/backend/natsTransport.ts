/** The connection to an exec-server behind NATS: JSON-RPC messages on a subject of its own, responses on one of ours. */
import {
  catchError,
  exhaustMap,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  scan,
  skip,
  switchMap,
  take,
  tap,
  throwError,
  timeout,
  timer,
} from 'rxjs';
import type { ExecTransport } from '../../executor/remote/execTransport';
import { isNatsFailure } from '../../io/nats/natsAddress';
import { decodeExecMessage, type ExecMessage, type ExecOutgoing, encodeExecMessage } from '../../protocol/exec/codec';
import { inputFirst } from '../../streams/time/limits';
import { joinParts, kindHeader, kindOf, type MessagePart, NOTHING, partBytes, toParts } from '../executor/busMessages';
import { findMember } from '../executor/member';
import { execSubjects } from '../executor/subjects';
import type { NatsDelivery, NatsLink } from '../link/natsLink';

export type NatsTransportDeps = {
  link$: Observable<NatsLink>;
  /** Its name. */
  executor: string;
  /** Makes names of connections, never the same twice. */
  newId: () => string;
};

const LINK_MS = 60_000;

/**
 * Opens one connection to the executor of this name per subscription. Errors when there is none, when it is gone, and when messages may
 * be lost, because one end lost its connection to NATS. Unsubscribing ends the connection at the executor too.
 */
export const natsTransport =
  ({ link$, executor, newId }: NatsTransportDeps): ExecTransport =>
  (out$) =>
    link$.pipe(
      switchMap((link) =>
        whenConnected(link).pipe(
          switchMap(() => findMember(link, executor)),
          switchMap(({ instance }) => converse(link, { executor, instance, connection: newId() }, out$)),
        ),
      ),
    );

const whenConnected = (link: NatsLink): Observable<unknown> =>
  link.state$.pipe(
    filter(({ kind }) => kind === 'connected'),
    take(1),
    timeout({ first: LINK_MS, scheduler: inputFirst, with: () => lost(link) }),
  );

const lost = ({ address }: NatsLink): Observable<never> =>
  throwError(() => new Error(`the connection to NATS at ${address} was lost`));

type Name = { executor: string; instance: string; connection: string };

const converse = (link: NatsLink, name: Name, out$: Observable<ExecOutgoing>): Observable<ExecMessage> => {
  const subjects = execSubjects(link.prefix);
  const subject = subjects.calls(name);
  const loss$ = link.state$.pipe(
    skip(1), // the state now
    switchMap(() => lost(link)),
  );
  return merge(
    link.subscribe({ subject: subjects.client(name.connection) }).pipe(receiveMessages()),
    out$.pipe(sendMessages(link, subject)),
    keepAlive({ link, subject, executor: name.executor }),
    loss$,
  ).pipe(finalize(() => link.publish({ subject, data: NOTHING, headers: kindHeader('end') })));
};

/** Longest message. Source: the limit of the WebSocket client. */
const MAX_MESSAGE_BYTES = 536_870_912;

/** Joins parts to messages, and answers pings. */
export const receiveMessages =
  (): OperatorFunction<Pick<NatsDelivery, 'data' | 'headers' | 'respond'>, ExecMessage> => (delivery$) =>
    delivery$.pipe(
      tap(({ headers, respond }) => kindOf(headers) === 'ping' && respond(NOTHING)),
      filter(({ headers }) => kindOf(headers) !== 'ping'),
      map(({ data, headers }): MessagePart => ({ data, isLast: kindOf(headers) !== 'more' })),
      joinParts(MAX_MESSAGE_BYTES),
      map(decodeExecMessage),
    );

/**
 * Publishes each message on a subject, in parts that the server takes; the first one begins the connection. Emits nothing. The first one is `initialize`, which
 * is one part: it has some 130 bytes, with a constant name and the id of a session, and a part has 1,024 or more.
 */
export const sendMessages =
  (link: Pick<NatsLink, 'publish' | 'maxPayload'>, subject: string): OperatorFunction<ExecOutgoing, never> =>
  (out$) =>
    out$.pipe(
      map((message, i) => ({ parts: toParts(encodeExecMessage(message), partBytes(link)), isFirst: i === 0 })),
      tap(({ parts, isFirst }) => {
        for (const { data, isLast } of parts) {
          const kind = isFirst ? 'begin' : isLast ? 'last' : 'more';
          link.publish({ subject, data, headers: kindHeader(kind) });
        }
      }),
      ignoreElements(),
    );

type KeepAliveDeps = {
  link: Pick<NatsLink, 'request' | 'address'>;
  /** Subject of the messages of the connection. */
  subject: string;
  executor: string;
};

const BEAT_MS = 1_500;
const ANSWER_MS = 2_000;
/** How many pings in a row may time out: an executor that is connected but silent gets some 25 s, as its network may be slow. */
const MAX_LATE = 8;

/**
 * Pings the executor, which considers a connection without pings lost. Emits nothing; errors when the executor is gone, when it no
 * longer knows the connection, and when it was silent for too long; with NatsError if pings cannot be sent.
 *   request  -p--r-p---#     (p a ping, r its response, # nobody serves the subject)
 *   out      ----------#
 */
export const keepAlive = ({ link, subject, executor }: KeepAliveDeps): Observable<never> => {
  const ping$ = link.request({ subject, data: NOTHING, headers: kindHeader('ping'), timeoutMs: ANSWER_MS }).pipe(
    map(({ headers }) => (kindOf(headers) === 'unknown' ? 'unknown' : 'there')),
    catchError((error) => {
      if (isNatsFailure(error, 'timeout')) return of('late' as const);
      return throwError(() => (isNatsFailure(error, 'noResponder') ? gone(link, executor) : error));
    }),
  );
  return timer(BEAT_MS, BEAT_MS).pipe(
    exhaustMap(() => ping$),
    tap((answer) => {
      if (answer === 'unknown') throw new Error(`the executor ${executor} ${FORGOTTEN}`);
    }),
    scan((late, answer) => (answer === 'late' ? late + 1 : 0), 0),
    tap((late) => {
      if (late >= MAX_LATE) throw new Error(`the executor ${executor} ${SILENT}`);
    }),
    ignoreElements(),
  );
};

const FORGOTTEN =
  'has lost the connection: it was restarted, or received nothing from here for some seconds; call again';
const SILENT =
  'has not answered for some 25 s: see whether its machine is suspended or overloaded, and whether its network works';

const gone = ({ address }: Pick<NatsLink, 'address'>, executor: string): Error =>
  new Error(
    `the executor ${executor} is gone: start it again with codex-rx exec-server --listen ${address} --name ${executor}`,
  );
