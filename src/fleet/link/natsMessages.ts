/** Messages without a store: requests, responses and subjects that are served. */
import type { Msg } from '@nats-io/transport-node';
import { catchError, EMPTY, from, map, Observable, switchMap, tap, throwError } from 'rxjs';
import { callNats, type NatsOwn, ownBytes, toHeaders, toMsgHeaders } from './natsConnection';
import type { NatsDelivery, NatsLink, NatsMessage } from './natsLink';
import { toNatsError } from './toNatsError';

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
  publish: ({ subject, data, headers }) => own.connection.publish(subject, data, withHeaders(own, headers)),
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

const isUnserved = (error: unknown): boolean => toNatsError('', error).kind === 'noResponder';

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
