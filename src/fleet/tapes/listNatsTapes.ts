/** The tapes on a NATS server. */
import { catchError, from, map, type Observable, of, switchMap, throwError, toArray } from 'rxjs';
import { isNatsFailure, NatsError } from '../../io/nats/natsAddress';
import { mapAtOnce } from '../../streams/scanInTurn';
import type { NatsLink } from '../link/natsLink';
import { tapeName, tapeSubject, tapesStream, tapesSubject } from './tapeSubject';
import { endOfTape } from './tapeWrites';

/** One tape: its size in bytes, and when it was last written to. */
export type TapeOnNats = { name: string; bytes: number; atMs: number };

type Link = Pick<NatsLink, 'prefix' | 'countMessages' | 'lastOf' | 'purge'>;

const AT_ONCE = 16;

/** Emits all tapes, by name; none if no tape was ever recorded there. */
export const listNatsTapes = (link: Link): Observable<TapeOnNats[]> =>
  link.countMessages(tapesStream(link), tapesSubject(link)).pipe(
    catchError((error) => (isNatsFailure(error, 'absent') ? of({}) : throwError(() => error))),
    switchMap((counts) => from(Object.keys(counts))),
    mapAtOnce(AT_ONCE, (subject) => describe(link, subject)),
    toArray(),
    map((tapes) => tapes.toSorted((a, b) => (a.name < b.name ? -1 : 1))),
  );

const describe = (link: Link, subject: string): Observable<TapeOnNats> =>
  link
    .lastOf(tapesStream(link), subject)
    .pipe(map((last) => ({ name: tapeName(link, subject), bytes: endOfTape(last).size, atMs: last?.atMs ?? 0 })));

/** Removes a tape for good. Errors if there is none. */
export const removeNatsTape = (link: Link, name: string): Observable<void> =>
  link.purge({ stream: tapesStream(link), subject: tapeSubject(link, name) }).pipe(
    map((removed) => {
      if (removed === 0) throw new NatsError('absent', noTape(name));
    }),
  );

/** The error of a tape that is not there. */
export const noTape = (name: string): string => `there is no tape ${name}; codex-rx tapes ls lists the tapes`;
