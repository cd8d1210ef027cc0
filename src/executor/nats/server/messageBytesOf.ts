/** How much output one message may have. */
import type { NatsLink } from '../../../transport/nats';

const MAX_MESSAGE_BYTES = 524_288;
/** A chunk of 64 KiB and the header still fit into a message after it. */
const LEFT_BYTES = 98_304;
const LEAST_PAYLOAD = 131_072;

/** Throws with cause and remedy for a server that takes small messages only. */
export const messageBytesOf = ({ maxPayload, address }: Pick<NatsLink, 'maxPayload' | 'address'>): number => {
  if (maxPayload < LEAST_PAYLOAD)
    throw new Error(`the server at ${address} takes ${maxPayload} bytes: set max_payload to ${LEAST_PAYLOAD} at least`);
  return Math.min(MAX_MESSAGE_BYTES, maxPayload - LEFT_BYTES);
};
