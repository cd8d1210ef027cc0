/** Sends a message for a stream, by the client or around it. */
import { largeFrame } from './largeFrame';
import { type NatsOwn, toMsgHeaders } from './natsConnection';
import type { NatsAppend, NatsHeaders } from './natsLink';
import type { WriteFrame } from './openConnection';

/** @param writeFrame writes around the client */
export type SendDeps = Pick<NatsOwn, 'connection' | 'packages'> & { writeFrame: WriteFrame };

/** A message with all its headers. */
export type SentMessage = Pick<NatsAppend, 'subject' | 'data' | 'more'> & { headers: NatsHeaders };

/** Where the acknowledgement is sent to, and what takes the error instead: the client throws where the connection is closed, and for what is too long. */
export type Answered = { reply: string; fail: (error: unknown) => void };

const NOTHING: readonly Uint8Array[] = [];

/** What is large goes around the client, behind what the client sends at the end of this turn: the subscription for acknowledgements may be among that. */
export const sendAcked = (
  { connection, packages, writeFrame }: SendDeps,
  { subject, data, more = NOTHING, headers }: SentMessage,
  { reply, fail }: Answered,
): void => {
  try {
    const made = toMsgHeaders(packages, headers);
    const pieces = largeFrame(connection, { subject, reply, payload: [data, ...more], headers: made });
    if (pieces !== undefined) {
      queueMicrotask(() => writeFrame(pieces));
      return;
    }
    const whole = more.length === 0 ? data : Buffer.concat([data, ...more]);
    connection.publish(subject, whole, { reply, ...(made !== undefined && { headers: made }) });
  } catch (error) {
    fail(error);
  }
};
