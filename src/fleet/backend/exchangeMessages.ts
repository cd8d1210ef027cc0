/** The messages of one connection on the subjects of NATS: each in parts that a server takes, the first one beginning the connection. */
import { filter, ignoreElements, map, type OperatorFunction, tap } from 'rxjs';
import { decodeExecMessage, type ExecMessage, type ExecOutgoing, encodeExecMessage } from '../../protocol/exec/codec';
import { kindHeader, kindOf, NOTHING } from '../executor/busMessage';
import { joinParts, type MessagePart, partBytes, toParts } from '../executor/messageParts';
import type { NatsDelivery, NatsLink } from '../link/natsLink';

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
