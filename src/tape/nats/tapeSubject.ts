/** Where the tapes of a team are: one stream, and a subject for each tape. */
import { NatsError, type NatsLink } from '../../transport/nats';

type Prefixed = Pick<NatsLink, 'prefix'>;

/** The stream that holds all tapes. */
export const tapesStream = ({ prefix }: Prefixed): string => `${prefix}-tapes`;

/** The subjects of all tapes. */
export const tapesSubject = ({ prefix }: Prefixed): string => `${prefix}.tapes.*`;

/** The subject of a tape; characters that a subject does not take are written as in a URL. Throws a `NatsError` for a tape without a name. */
export const tapeSubject = ({ prefix }: Prefixed, name: string): string => {
  if (name === '') throw new NatsError('address', 'name the tape behind the server: nats://HOST/NAME');
  const token = encodeURIComponent(name).replaceAll(/[.!~*'()]/g, toPercent);
  if (token.length > MAX_CHARS) throw new NatsError('address', `the name of the tape is too long: ${TOO_LONG}`);
  return `${prefix}.tapes.${token}`;
};

/** A server ends the connection of whoever sends a line of more than 4,096 bytes. Source: nats-server 2.9.10, max_control_line. */
const MAX_CHARS = 1_024;
const TOO_LONG = `at most ${MAX_CHARS} characters, where one that a URL does not take counts as three or more`;

const toPercent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** The name of the tape with this subject; of one that no recorder has made, what stands there. */
export const tapeName = ({ prefix }: Prefixed, subject: string): string => {
  const token = subject.slice(`${prefix}.tapes.`.length);
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
};
