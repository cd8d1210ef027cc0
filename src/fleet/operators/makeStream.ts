/** A stream that its first user makes. */
import type { Observable } from 'rxjs';
import type { NatsLink, NatsStreamSpec } from '../link/natsLink';

type MakeStreamSpec = Pick<NatsStreamSpec, 'name' | 'description'> & { subject: string };

/**
 * Emits once when the stream is there. An existing stream stays as its operator has set it. A new stream has only the limits of the server, and refuses
 * what does not fit, so that its content does not lose its beginning.
 */
export const makeStream =
  (link: Pick<NatsLink, 'ensureStream'>) =>
  ({ name, subject, description }: MakeStreamSpec): Observable<unknown> =>
    link.ensureStream({
      name,
      subjects: [subject],
      maxBytes: 0,
      maxAgeMs: 0,
      discard: 'new',
      replicas: 1,
      ...(description !== undefined && { description }),
    });
