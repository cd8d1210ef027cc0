/** The connection to an exec-server behind NATS: JSON-RPC messages on a subject of its own, responses on one of ours. */
import {
  defer,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  type Observable,
  skip,
  switchMap,
  take,
  tap,
  timeout,
} from 'rxjs';
import type { ExecTransport } from '../../executor';
import { decodeExecMessage, type ExecMessage, type ExecOutgoing, encodeExecMessage } from '../../protocol/exec';
import type { NatsLink } from '../../transport/nats';
import { kindHeader, kindOf, NOTHING } from './busMessage';
import { findMember } from './findMember';
import { keepAlive } from './keepAlive';
import { joinParts, type MessagePart, partBytes, toParts } from './messageParts';
import { execSubjects } from './subjects';

/** @param executor its name; @param newId never gives the same name of a connection twice */
export type NatsTransportDeps = { link$: Observable<NatsLink>; executor: string; newId: () => string };

/** How long a connection to a server of NATS is waited for. */
const LINK_MS = 60_000;
/** Longest message. Source: the limit of the WebSocket client. */
const MAX_MESSAGE_BYTES = 536_870_912;

/**
 * One connection for each subscription, to the executor of this name. Errors when there is none, when it is gone, and when messages may have been lost: with the
 * connection to a server of NATS, ours or the executor's. Unsubscribing ends it at the executor too.
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
    timeout({ first: LINK_MS, with: () => lost(link) }),
  );

const lost = ({ address }: NatsLink): Observable<never> =>
  defer(() => {
    throw new Error(`the connection to NATS at ${address} was lost`);
  });

type Name = { executor: string; instance: string; connection: string };

const converse = (link: NatsLink, name: Name, out$: Observable<ExecOutgoing>): Observable<ExecMessage> => {
  const subjects = execSubjects(link.prefix);
  const subject = subjects.calls(name);
  const loss$ = link.state$.pipe(
    skip(1), // the state now
    switchMap(() => lost(link)),
  );
  return merge(
    link.subscribe({ subject: subjects.client(name.connection) }).pipe(incoming()),
    out$.pipe(sendOn(link, subject)),
    keepAlive({ link, subject, executor: name.executor }),
    loss$,
  ).pipe(finalize(() => link.publish({ subject, data: NOTHING, headers: kindHeader('end') })));
};

type Delivery = { data: Uint8Array; headers: Readonly<Record<string, string>>; respond: (data: Uint8Array) => void };

/** Messages out of parts; whoever asks whether we are here is answered. */
const incoming = () => (delivery$: Observable<Delivery>) =>
  delivery$.pipe(
    tap(({ headers, respond }) => kindOf(headers) === 'ping' && respond(NOTHING)),
    filter(({ headers }) => kindOf(headers) !== 'ping'),
    map(({ data, headers }): MessagePart => ({ data, isLast: kindOf(headers) !== 'more' })),
    joinParts(MAX_MESSAGE_BYTES),
    map(decodeExecMessage),
  );

/** Publishes each message in parts that the server takes; the first one begins the connection. Emits nothing. */
const sendOn = (link: NatsLink, subject: string) => (out$: Observable<ExecOutgoing>) =>
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
