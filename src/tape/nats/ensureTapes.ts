/** The stream of tapes, made by the first who needs it. */
import { type Observable, of, switchMap } from 'rxjs';
import type { NatsLink } from '../../transport/nats';
import { tapesStream, tapesSubject } from './tapeSubject';

/**
 * Emits once when the stream is there. One that is there stays as its operator has set it; a new one has no limits but those of the server, and
 * refuses what it has no room for, so that no tape loses its beginning.
 */
export const ensureTapes = (link: Pick<NatsLink, 'prefix' | 'findStream' | 'ensureStream'>): Observable<unknown> =>
  link.findStream(tapesStream(link)).pipe(
    switchMap((found) =>
      found === undefined
        ? link.ensureStream({
            ...{ name: tapesStream(link), subjects: [tapesSubject(link)], description: 'tapes of codex-rx' },
            ...{ maxBytes: 0, maxAgeMs: 0, discard: 'new', replicas: 1 },
          })
        : of(found),
    ),
  );
