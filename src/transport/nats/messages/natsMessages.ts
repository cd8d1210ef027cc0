/** Messages without a store: requests, responses and subjects that are served. */
import type { Msg } from '@nats-io/transport-node';
import { catchError, EMPTY, from, map, Observable, switchMap, tap, throwError } from 'rxjs';
import { callNats, type NatsOwn, toHeaders, toMsgHeaders } from '../natsConnection';
import type { NatsDelivery, NatsLink, NatsMessage } from '../natsLink';
import { toNatsError } from '../toNatsError';
import { headersOf } from './headersOf';
import { type SendDeps, sendMessage } from './sendMessage';

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
      catchError((error) =>
        isUnserved(error) ? EMPTY : throwError(() => toNatsError(`request to ${subject}`, error)),
      ),
    );
  },
  publish: ({ subject, data, headers = NONE }) => sendMessage(inOrder(own), { subject, payload: [data], headers }),
  subscribe: subscribe(own),
});

const subscribe =
  (own: NatsOwn): NatsLink['subscribe'] =>
  ({ subject, queue }) =>
    new Observable((subscriber) => {
      const subscription = own.connection.subscribe(subject, {
        ...(queue === undefined ? {} : { queue }),
        callback: (error, message) => {
          own.received.add(error);
          if (error) subscriber.error(toNatsError(`subscription to ${subject}`, error));
          else subscriber.next(toDelivery(own, message));
        },
      });
      return () => subscription.unsubscribe();
    });

const NONE = {};

/** Joins the pieces of a message: in several pieces it bypasses the client's queue, and a small message behind it would overtake it. */
const inOrder = ({ connection, packages, sendFrame }: SendDeps): SendDeps => ({
  connection,
  packages,
  sendFrame: (pieces) => sendFrame(pieces.length === 1 ? pieces : [Buffer.concat(pieces)]),
});

const isUnserved = (error: unknown): boolean => toNatsError('', error).kind === 'noResponder';

const withHeaders = ({ packages }: NatsOwn, headers: NatsMessage['headers']) => {
  const made = toMsgHeaders(packages, headers);
  return made === undefined ? {} : { headers: made };
};

const toMessage = ({ subject, data, headers }: Msg): Required<NatsMessage> => ({
  subject,
  data,
  headers: toHeaders(headers),
});

/** Not by `toMessage`, as each message of a process passes here. */
const toDelivery = (own: NatsOwn, message: Msg): NatsDelivery => ({
  subject: message.subject,
  data: message.data,
  headers: headersOf(message),
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
