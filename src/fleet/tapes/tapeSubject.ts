/** Where the tapes of a team are: one stream, and a subject for each tape. */

import { NatsError } from '../../io/nats/natsAddress';
import type { NatsLink } from '../link/natsLink';
import { fromToken, toToken } from '../link/tokens';

type Prefixed = Pick<NatsLink, 'prefix'>;

/** The stream that holds all tapes. */
export const tapesStream = ({ prefix }: Prefixed): string => `${prefix}-tapes`;

/** The subjects of all tapes. */
export const tapesSubject = ({ prefix }: Prefixed): string => `${prefix}.tapes.*`;

/** The subject of a tape. Throws a `NatsError` for a tape without a name. */
export const tapeSubject = ({ prefix }: Prefixed, name: string): string => {
  if (name === '') throw new NatsError('address', 'name the tape behind the server: nats://HOST/NAME');
  return `${prefix}.tapes.${toToken(name)}`;
};

/** The name of the tape with this subject; for a subject that no recorder has made, its last token as it is. */
export const tapeName = ({ prefix }: Prefixed, subject: string): string => {
  const token = subject.slice(`${prefix}.tapes.`.length);
  try {
    return fromToken(token);
  } catch {
    return token;
  }
};
