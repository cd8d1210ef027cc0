/** How many bytes of output one message may have. */
import type { NatsLink } from '../link/natsLink';

const MAX_MESSAGE_BYTES = 524_288;
/** Left free in a message, so that one more chunk of 64 KiB and the header still fit. */
const LEFT_BYTES = 98_304;
const LEAST_PAYLOAD = 131_072;

/** Throws with cause and remedy for a server that takes small messages only. */
export const messageBytesOf = ({ maxPayload, address }: Pick<NatsLink, 'maxPayload' | 'address'>): number => {
  if (maxPayload < LEAST_PAYLOAD)
    throw new Error(
      `the server at ${address} takes messages of at most ${maxPayload} bytes: set its max_payload to at least ${LEAST_PAYLOAD}`,
    );
  return Math.min(MAX_MESSAGE_BYTES, maxPayload - LEFT_BYTES);
};
