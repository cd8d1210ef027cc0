/** Sends a message, by the client or as a frame of ours. */

import { type NatsOwn, toMsgHeaders } from '../natsConnection';
import { type FramedMessage, messageFrame } from './messageFrame';

export type SendDeps = Pick<NatsOwn, 'connection' | 'packages' | 'sendFrame'>;

/** Throws what the client throws: where the connection is closed, and for what is too long. */
export const sendMessage = (deps: SendDeps, message: FramedMessage): void => {
  const frame = messageFrame(deps.connection, message);
  if (frame === undefined) publish(deps, message);
  else deps.sendFrame(frame);
};

const publish = ({ connection, packages }: SendDeps, { subject, reply, payload, headers }: FramedMessage): void => {
  const made = toMsgHeaders(packages, headers);
  const options = { ...(reply !== undefined && { reply }), ...(made && { headers: made }) };
  connection.publish(subject, Buffer.concat(payload), options);
};
