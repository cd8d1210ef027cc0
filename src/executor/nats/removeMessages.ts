/** Removes what was read from the stream of an executor. */
import { catchError, EMPTY, from, mergeMap, type Observable, throwError } from 'rxjs';
import { isNatsFailure, type NatsLink } from '../../transport/nats';

/** How many removals are under way at the same time. */
const REMOVALS = 32;

/**
 * Removes the messages with these numbers one by one: a purge of a subject makes the consumers of wider ones skip what they have not read (nats-server 2.9.10). Emits for
 * each that was removed, and completes. Errors with `refused` where the login may not; a message that is gone, or cannot be removed now, goes by the limits of the stream.
 *   remove(1)  --R|
 *   remove(2)  -#       (# it is gone)
 *   out        --R|
 */
export const removeMessages =
  (link: Pick<NatsLink, 'remove'>, stream: string) =>
  (seqs: readonly number[]): Observable<unknown> =>
    from(seqs).pipe(mergeMap((seq) => link.remove(stream, seq).pipe(catchError(unlessRefused)), REMOVALS));

const unlessRefused = (error: unknown): Observable<never> =>
  isNatsFailure(error, 'refused') ? throwError(() => error) : EMPTY;
