/** Removes what was read from the stream of an executor. */
import { catchError, EMPTY, from, mergeMap, type Observable, throwError } from 'rxjs';
import { isNatsFailure, type NatsLink } from '../../transport/nats';

/** How many removals are under way at the same time. */
const REMOVALS = 32;

/**
 * Removes the messages with these sequences one by one: after a purge of a subject, consumers of wider subjects skip unread messages
 * (nats-server 2.9.10). Emits for each removed one, and completes. A message that is gone, or cannot be removed now, is left to the
 * limits of the stream. Errors with `refused` where the login may not remove.
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
