/** The acknowledgement of a stream, as the server writes it. */
import type { Msg } from '@nats-io/transport-node';
import type { NatsAppended } from '../natsLink';

/**
 * An error is a `code` alone where a cluster could not propose the message. Source: nats-server 2.9.10, PubAck; the status 503 where nobody subscribes to the
 * subject of a message, no stream either.
 */
type Ack = {
  stream?: string;
  seq?: number;
  duplicate?: boolean;
  error?: { code?: number; err_code?: number; description?: string };
};

const NO_RESPONDERS = 503;
/** JetStream is not enabled, for the server or for the account. */
const NOT_ENABLED = [10076, 10039];

/** Throws an error with the name or the code that `toNatsError` knows. */
export const toAppended = ({ data, headers }: Pick<Msg, 'data' | 'headers'>): NatsAppended => {
  if (data.length === 0 && headers?.code === NO_RESPONDERS) throw notEnabled('no stream takes the subject');
  const { stream, seq, duplicate, error } = JSON.parse(Buffer.from(data).toString()) as Ack;
  if (error !== undefined) throw toError(error);
  if (stream === undefined || stream === '' || seq === undefined)
    throw new Error('the acknowledgement names no stream');
  return { seq, isDuplicate: duplicate === true };
};

const toError = ({ code: status, err_code: code = 0, description = '' }: NonNullable<Ack['error']>): Error =>
  NOT_ENABLED.includes(code) ? notEnabled(description) : Object.assign(new Error(description), { code, status });

const notEnabled = (text: string): Error => Object.assign(new Error(text), { name: 'JetStreamNotEnabled' });
