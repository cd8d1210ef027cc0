/** A stream that its first user makes. */
import type { Observable } from 'rxjs';
import type { NatsLink, NatsStreamSpec } from '../link/natsLink';

/** `subject` that it takes. */
export type MakeStreamSpec = Pick<NatsStreamSpec, 'name' | 'description'> & { subject: string };

/**
 * Emits once when the stream is there. One that is there stays as its operator has set it; a new one has no limits but those of the server, and
 * refuses what does not fit, so that what it holds does not lose its beginning.
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
