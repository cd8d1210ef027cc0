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
  return `${prefix}.tapes.${encodeURIComponent(name).replaceAll(/[.!~*'()]/g, toPercent)}`;
};

const toPercent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** The name of the tape with this subject. */
export const tapeName = ({ prefix }: Prefixed, subject: string): string =>
  decodeURIComponent(subject.slice(`${prefix}.tapes.`.length));
