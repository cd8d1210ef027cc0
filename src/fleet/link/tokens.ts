/** Texts from outside as parts of subjects. */
import { NatsError } from '../../io/nats/natsAddress';

/** A server ends the connection of whoever sends a line of more than 4,096 bytes. Source: nats-server 2.9.10, max_control_line. */
const MAX_TOKEN_CHARS = 1_024;
const TOO_LONG = `a name behind NATS is too long: ${MAX_TOKEN_CHARS} letters and digits at most`;
/** The token of the empty text, as a token has at least one character; no other text has this token. */
const EMPTY_TEXT = '%';

/** A text as one token of a subject: what a subject does not take is written as in a URL. Throws a `NatsError` if it is too long. */
export const toToken = (text: string): string => {
  const token = encodeURIComponent(Buffer.from(text).toString()).replaceAll(/[.!~*'()]/g, toPercent);
  if (token.length > MAX_TOKEN_CHARS) throw new NatsError('address', TOO_LONG);
  return token === '' ? EMPTY_TEXT : token;
};

const toPercent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** The text of a token, which is one of ours. */
export const fromToken = (token: string): string => (token === EMPTY_TEXT ? '' : decodeURIComponent(token));

/** The last token of a subject. */
export const lastToken = (subject: string): string => subject.slice(subject.lastIndexOf('.') + 1);
