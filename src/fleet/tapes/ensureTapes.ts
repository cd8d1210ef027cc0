/** The stream of tapes, made by the first who needs it. */
import type { Observable } from 'rxjs';
import type { NatsLink } from '../link/natsLink';
import { makeStream } from '../operators/makeStream';
import { tapesStream, tapesSubject } from './tapeSubject';

/** Emits once when the stream is there; see `makeStream`. */
export const ensureTapes = (link: Pick<NatsLink, 'prefix' | 'ensureStream'>): Observable<unknown> =>
  makeStream(link)({ name: tapesStream(link), subject: tapesSubject(link), description: 'tapes of codex-rx' });
