/** Messages without a store: requests, responses and subjects that are served. */
import type { Msg } from '@nats-io/transport-node';
import { map, Observable } from 'rxjs';
import { callNats, type NatsOwn, toHeaders, toMsgHeaders } from './natsConnection';
import type { NatsDelivery, NatsLink, NatsMessage } from './natsLink';
import { toNatsError } from './toNatsError';

export const natsMessages = (own: NatsOwn): Pick<NatsLink, 'request' | 'publish' | 'subscribe'> => ({
  request: ({ subject, data, headers, timeoutMs }) => {
    const options = { timeout: timeoutMs, ...withHeaders(own, headers) };
    const run = () => own.connection.request(subject, data, options);
    return callNats(own, { what: `request to ${subject}`, run, limitMs: timeoutMs }).pipe(map(toMessage));
  },
  publish: ({ subject, data, headers }) => own.connection.publish(subject, data, withHeaders(own, headers)),
  subscribe: ({ subject, queue }) =>
    new Observable((subscriber) => {
      const subscription = own.connection.subscribe(subject, {
        ...(queue === undefined ? {} : { queue }),
        callback: (error, message) => {
          if (error) subscriber.error(toNatsError(`subscription to ${subject}`, error));
          else subscriber.next(toDelivery(own, message));
        },
      });
      return () => subscription.unsubscribe();
    }),
});

const withHeaders = ({ packages }: NatsOwn, headers: NatsMessage['headers']) => {
  const made = toMsgHeaders(packages, headers);
  return made === undefined ? {} : { headers: made };
};

const toMessage = ({ subject, data, headers }: Msg): Required<NatsMessage> => ({
  subject,
  data,
  headers: toHeaders(headers),
});

const toDelivery = (own: NatsOwn, message: Msg): NatsDelivery => ({
  ...toMessage(message),
  respond: (data, headers) => {
    if (!own.connection.isClosed()) message.respond(data, withHeaders(own, headers));
  },
});
